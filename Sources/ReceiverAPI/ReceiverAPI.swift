// ReceiverAPI
