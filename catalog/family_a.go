package catalog

// Family A: one picture of a person or an object in, pictures out (Run API, "Family A").

// What the embedded service does for the agents of this family: classical image work, named for what it changes.
const (
	recoloursHair = "The hair that is found takes the colour you name; its cut stays."
	roundsBelly   = "The belly is rounded as by a lens and lit from above; nothing else is redrawn."
	guessedDepth  = "Depth is guessed from the outline and tones, then shaded."
	lightAlone    = " From your text, only light and warmth are used."
)

func familyA() []Agent {
	person := func() File { return onePicture("Photo", "The photo of the person.") }
	thing := func() File { return onePicture("Photo", "The photo to work on.") }
	may := func() File { return optional(onePicture("Photo", "Optional: a photo to start from.")) }
	return []Agent{
		onePhoto("ai-aging", "Older face", "Shows how the person may look many years later.", "Hair turns grey and age lines are drawn; the face keeps its shape."+lightAlone, person()),
		onePhoto("ai-elf", "Elf", "Turns the person into an elf of a fantasy tale.", "Pointed ears are drawn and the skin turns fair; features keep their shape."+lightAlone, person()),
		onePhoto("ai-selfie", "Selfie", "Makes a fresh selfie portrait out of the photo.", "The person is cut out and shown as through a phone's wide lens, tilted, before a blurred place drawn from your text.", person()),
		onePhoto("ai-zombie", "Zombie", "Turns the person into a zombie from a horror movie.", "The skin turns grey-green or the colour you name, with dark eyes and veins; features keep their shape.", person()),
		onePhoto("anime-image-converter", "Anime", "Redraws the photo in the style of an anime.", "Flat bright tones, coloured shadows and ink lines; eyes that are found grow."+lightAlone, thing()),
		onePhoto("bald-filter", "Bald head", "Shows the person without hair.", "Skin is painted over the hair; the area beside the head is completed."+lightAlone, person()),
		onePhoto("bangs-filter", "Fringe", "Gives the person a fringe.", "A fringe is drawn in the colour of the hair, or all hair in the colour you name.", person()),
		onePhoto("buzz-cut-ai", "Buzz cut", "Cuts the person's hair very short.", "Stubble is painted on the head; the area beside it is completed."+lightAlone, person()),
		onePhoto("chibi-maker", "Chibi figure", "Turns the person into a small figure with a large head.", "The head is painted flat with large eyes; a small body is drawn below it, on a background in the colour you name.\nThe body takes the colours of the clothes.", person()),
		onePhoto("fat-ai", "Fuller figure", "Shows the person with a fuller figure.", "Trunk, limbs and cheeks are widened; the surroundings bend along."+lightAlone, person()),
		onePhoto("gender-swap", "Another gender", "Shows how the person may look as another gender.", "Drawn long hair, smooth skin and red lips, or a beard, heavy brows and short hair; the face keeps its shape.\nYour text says which; without it, the length of the hair in the photo decides.", person()),
		onePhoto("mugshot-creator", "Height chart portrait", "Sets the person before a height chart, as in a crime movie.", "The person is cut out and set before a drawn wall with height lines; a few words of your text appear on the placard.", person()),
		onePhoto("ps2-filter", "Early console game", "Makes the photo look like an early console game.", "Facets, few colours and dithering, made from the photo itself."+lightAlone, thing()),
		onePhoto("skin-color-changer", "Skin tone", "Changes the tone of the person's skin.", "Skin of face, neck and limbs takes the tone you name, or one far from its own; light and shade stay.", person()),
		onePhoto("ai-hair-color-changer", "Hair colour", "Gives the person's hair another colour.", recoloursHair, person()),
		onePhoto("hair-color-try-on", "Hair colour try-on", "Tries several hair colours on the person.", recoloursHair, person()),
		translator(onePhoto("ai-translate", "Translate lettering", "Replaces the lettering in the picture with its translation.", "Lettering is not read or translated: what is found is replaced, from the top, by the lines you write.\nLettering without a line stays.", thing())),
		onePhoto("image-to-sketch", "Sketch", "Redraws the photo in pencil.", "Lines and hatching in the colour you name, drawn from the edges and tones of the photo.", thing()),
		onePhoto("ai-3d-rendering", "3D rendering", "Makes a drawing or photo look like a rendered model.", guessedDepth+" The background takes the colour you name.", thing()),
		onePhoto("2d-to-3d-image-converter", "From flat to solid", "Gives a flat picture depth, light and shadow.", guessedDepth+lightAlone, thing()),
		onePhoto("outfit-generator", "New outfit", "Dresses the person in another outfit.", "Cloth, pattern, collar, buttons and belt in the colours you name are drawn on the clothes; outline and folds stay.", person()),
		onePhoto("ai-hairstyle-changer", "New hairstyle", "Gives the person another hairstyle.", "A fringe, curls, a short cut or a colour, by turns or as you name them, on the photo or on a drawn portrait.", may()),
		onePhoto("ai-room-planner", "Room planner", "Furnishes a room anew, from a photo or from text alone.", "Walls, floor and light change to the style you name, with drawn furniture.\nWithout a photo: a drawn room or floor plan.", may()),
		onePhoto("ai-tattoo-generator", "Tattoo design", "Designs a tattoo, from a photo or from text alone.", "A drawn motif that you name, on bare skin in the photo; from text alone, a sheet of designs.\nIt is placed on the largest area of bare skin, else on the cheek.", may()),
		onePhoto("ai-spray-paint", "Spray paint", "Makes a spray-painted picture, from a photo or from text alone.", "The photo in a few sprayed tones, or your word sprayed on a drawn wall.", may()),
		onePhoto("ai-dog", "Dog", "Makes a picture of a dog, from a photo or from text alone.", "A drawn dog in the place you name, or in the photo.", may()),
		onePhoto("ai-action-figure-generators", "Action figure", "Shows a person or thing as a boxed action figure, from a photo or from text alone.", "A drawn pack with the name and things you write, around the person in the photo, their head on a drawn body, or a doll.", may()),
		onePhoto("ai-flag-generator", "Flag", "Designs a flag, from a photo or from text alone.", "A drawn flag with the colours and the symbol you name, or with the photo printed on it.", may()),
		onePhoto("ghibli-art-create", "Hand-painted animation", "Repaints the photo like a still from a hand-painted animation, or paints one from text.", "With a photo: flat figures, a painted ground, fresh greens and drawn clouds. Without: a drawn scene from your text.", may()),
		onePhoto("remove-filter-from-photo", "Undo a filter", "Removes a colour filter from the photo, or makes a picture from text alone.", "The photo's colours are balanced; from your text, only light and warmth are used. Without a photo: a drawn scene.", may()),
		onePhoto("random-animal-generator", "Surprise animal", "Makes a picture of a random animal, from a photo or from text alone.", "A drawn animal in the place you name, or in the photo.", may()),
		onePhoto("pregnant_ai", "Expecting", "Shows the person with a round belly, as in pregnancy.", roundsBelly+lightAlone, originalImage("Photo", "The photo of the person.")),
		onePhoto("wild-graffiti-generator", "Graffiti", "Makes a graffiti picture, from a photo or from text alone.", "The photo in a few sprayed tones, or your word sprayed on a drawn wall.", optional(originalImage("Photo", "Optional: a photo to start from."))),

		described(onePhoto("ai-headshot-generator", "Business portrait", "Makes a studio portrait from a plain photo.", "The person is cut out, framed to head and shoulders and set before a plain wall in the colour you name.", person())),
		described(onePhoto("ai-blemish-remover", "Clear skin", "Removes spots and blemishes from the skin.", "Red spots are covered with nearby skin and the face is evened out."+lightAlone+"\nEyes, nostrils and lips stay.", person())),
		described(onePhoto("photo-wrinkle-remover", "Smooth skin", "Softens the lines of the skin.", "The skin of the face is smoothed and brightened under the eyes."+lightAlone+"\nEyes, nostrils and lips stay.", person())),
		ghostMannequin(),

		// ASSUMED [glasses-remover-from-photo]: accounts offer it, the documents do not list it.
		onePhoto("glasses-remover-from-photo", "Without glasses", "Removes the glasses from the faces in the photo.",
			"Dark frames are covered with nearby skin. Dark lenses cannot be seen through: sunglasses are refused."+
				"\nThe rims, bridge and temples of every face that wears glasses are found by their shade; all other pixels stay."+
				" Reflections and tints of the lenses stay, a brow behind a rim is lost, and light or rimless frames may not be"+
				" found. Text is not used.",
			person()),
	}
}

// onePhoto is the shape of this family: a picture, an optional description, a count.
func onePhoto(name, title, summary, embedded string, photo File) Agent {
	return further("A", Agent{
		Name: name, Title: title, Summary: summary, Embedded: embedded, Files: []File{photo},
		Params: []Param{ownWording("What it should look like", "Describe what matters to you."), count()},
	})
}

// described makes an agent's description a required one.
func described(a Agent) Agent {
	for i, p := range a.Params {
		if p.Name == "textDescription" {
			a.Params[i] = required(textDescription(p.Title, "Describe what should be done."))
		}
	}
	return a
}

// translator asks for the words that take the place of others.
func translator(a Agent) Agent {
	for i, p := range a.Params {
		if p.Name == "textDescription" {
			a.Params[i] = textDescription("What it should say", "The translation, one line for each line of lettering, from the top. Required where the service cannot read and translate lettering.")
		}
	}
	return a
}

func ghostMannequin() Agent {
	a := onePhoto("ai-ghost-mannequin-generator", "Ghost mannequin", "Shows the clothes alone, as if worn by an invisible figure.",
		"The clothes are cut out and set on white, with a hollow collar drawn below a face. Text is not used.\nWithout a face, everything that stands out counts as clothes. Cloth below long hair is completed.", onePicture("Photo", "The clothes on a person or a mannequin."))
	a.Keeps = "autoApparelSegment"
	a.Params = []Param{
		ownWording("What it should look like", "Describe what matters to you."),
		aspectRatio("1:1", orAuto()...),
		imageSize("1K", "1K", "2K", "4K"),
		count(),
	}
	return a
}
