package presets

func drawDressSample(c *canvas) { sweep(0xefe9e0, 0xd2c9bc)(c) }

func drawBottleSample(c *canvas) { sweep(0xe9dfd2, 0xb79f86)(c) }

func drawMannequinSample(c *canvas) { sweep(0xd9dce0, 0xaab0b8)(c) }
