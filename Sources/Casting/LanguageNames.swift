/// The languages that media come in: codes of ISO 639-1 and 639-2, and English names.
enum LanguageNames {
    /// The two letters for a code or an English name in small letters; nil where there are none or it is not known.
    static func shortCode(_ code: String) -> String? { shortCodes[code] }

    /// The English name of a language by its shortest code.
    static func name(of code: String) -> String? { names[code] }

    private static let names = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0.name) })

    private static let shortCodes: [String: String] = {
        var codes: [String: String] = [:]
        for row in rows {
            codes[row.name.lowercased()] = row.code
            for other in row.others { codes[other] = row.code }
        }
        return codes
    }()

    private static let rows: [(code: String, others: [String], name: String)] = table.split(separator: "\n").map {
        line in
        let words = line.split(separator: " ")
        return (String(words[0]), words[1].split(separator: ",").map(String.init), words[2...].joined(separator: " "))
    }

    // The shortest code, the others, the name. Old codes (iw, in) and members of a macrolanguage that media say instead of
    // it stand with it.
    private static let table = """
        af afr Afrikaans
        am amh Amharic
        ar ara,arb Arabic
        az aze Azerbaijani
        be bel Belarusian
        bg bul Bulgarian
        bn ben Bengali
        bo tib,bod Tibetan
        bs bos Bosnian
        ca cat Catalan
        cs cze,ces Czech
        cy wel,cym Welsh
        da dan Danish
        de ger,deu,deutsch German
        el gre,ell Greek
        en eng English
        eo epo Esperanto
        es spa,esp Spanish
        et est,ekk Estonian
        eu baq,eus Basque
        fa per,fas Persian
        fi fin Finnish
        fil tgl,tl Filipino
        fr fre,fra,français French
        ga gle Irish
        gl glg Galician
        gsw als Swiss German
        gu guj Gujarati
        he heb,iw Hebrew
        hi hin Hindi
        hr hrv,scr Croatian
        hu hun Hungarian
        hy arm,hye Armenian
        id ind,in Indonesian
        is ice,isl Icelandic
        it ita Italian
        ja jpn,jp Japanese
        ka geo,kat Georgian
        kk kaz Kazakh
        km khm Khmer
        kn kan Kannada
        ko kor Korean
        ku kur Kurdish
        ky kir Kyrgyz
        la lat Latin
        lb ltz Luxembourgish
        lo lao Lao
        lt lit Lithuanian
        lv lav,lvs Latvian
        mk mac,mkd Macedonian
        ml mal Malayalam
        mn mon Mongolian
        mr mar Marathi
        ms may,msa,zsm Malay
        mt mlt Maltese
        my bur,mya Burmese
        nb nob Norwegian Bokmål
        ne nep Nepali
        nl dut,nld Dutch
        nn nno Norwegian Nynorsk
        no nor Norwegian
        pa pan Punjabi
        pl pol Polish
        ps pus Pashto
        pt por Portuguese
        rm roh Romansh
        ro rum,ron,mo Romanian
        ru rus Russian
        si sin Sinhala
        sk slo,slk Slovak
        sl slv Slovenian
        sq alb,sqi Albanian
        sr srp,scc Serbian
        sv swe Swedish
        sw swa Swahili
        ta tam Tamil
        te tel Telugu
        th tha Thai
        tr tur Turkish
        uk ukr Ukrainian
        ur urd Urdu
        uz uzb Uzbek
        vi vie Vietnamese
        yi yid Yiddish
        yue cnt Cantonese
        zh chi,zho,cmn Chinese
        zu zul Zulu
        """
}
