package presets

func drawLoft(c *canvas) { sweep(0xd8c9b4, 0x9b8468)(c) }

func drawMarbleHall(c *canvas) { sweep(0xeceae6, 0xb9b6b2)(c) }

func drawBoutique(c *canvas) { sweep(0xc9a98a, 0x6d5442)(c) }

func drawConcrete(c *canvas) { sweep(0xb5b1aa, 0x77736c)(c) }

func drawTerrace(c *canvas) { sweep(0xe0926a, 0x493a56)(c) }

func drawNightStreet(c *canvas) { sweep(0x2d3c5c, 0x0b0f1a)(c) }

func drawBeach(c *canvas) { sweep(0xbcd9e6, 0xd8c39a)(c) }

func drawDunes(c *canvas) { sweep(0xe0a566, 0x8a5026)(c) }

func drawForest(c *canvas) { sweep(0x9aae5e, 0x2c3c1e)(c) }

func drawFlowers(c *canvas) { sweep(0xe6c36a, 0x6b8a3c)(c) }

func drawSnow(c *canvas) { sweep(0xeef3f8, 0xa9bccf)(c) }

func drawWhite(c *canvas) { sweep(0xffffff, 0xf4f4f4)(c) }

func drawSoftGrey(c *canvas) { sweep(0xd9d9d9, 0xa9a9a9)(c) }

func drawPaper(c *canvas) { sweep(0xeadfcd, 0xd2c3aa)(c) }

func drawPastel(c *canvas) { sweep(0xf3d3d6, 0xcfd8f0)(c) }

func drawMarbleSlab(c *canvas) { sweep(0xf4f3f1, 0xc9c7c4)(c) }

func drawOakTable(c *canvas) { sweep(0xc89b6a, 0x7d5632)(c) }

func drawLinen(c *canvas) { sweep(0xddd2bf, 0xbdb09a)(c) }

func drawSpotlight(c *canvas) { sweep(0x4a4a4e, 0x0c0c0e)(c) }

func drawDressSample(c *canvas) { sweep(0xefe9e0, 0xd2c9bc)(c) }

func drawBottleSample(c *canvas) { sweep(0xe9dfd2, 0xb79f86)(c) }

func drawMannequinSample(c *canvas) { sweep(0xd9dce0, 0xaab0b8)(c) }
