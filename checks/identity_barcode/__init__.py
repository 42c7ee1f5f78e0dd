"""The barcode on the back of North American driver's licences and identity cards."""
