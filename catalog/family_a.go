package catalog

// Family A: one picture of a person or an object in, pictures out (Run API, "Family A").

// What the embedded service does for the agents of this family: classical image work, named for what it changes.
const (
	recoloursHair = "The hair that is found takes the colour you name; its cut stays as it is."
	roundsBelly   = "The belly is bent round as by a lens and lit from above; nothing else is drawn anew."
	guessedDepth  = "Depth guessed from the outline and tones, then shaded: an approximation."
	lightAlone    = " From your text, only light and warmth are used."
)

func familyA() []Agent {
	person := func() File { return onePicture("Photo", "The photo of the person.") }
	thing := func() File { return onePicture("Photo", "The photo that is worked on.") }
	may := func() File { return optional(onePicture("Photo", "A photo to start from; may stay empty.")) }
	return []Agent{
		onePhoto("ai-aging", "Older face", "Shows how the person may look many years later.", "Hair turns grey and the lines of age are drawn; the face keeps its form."+lightAlone, person()),
		onePhoto("ai-elf", "Elf", "Turns the person into an elf of a fantasy tale.", "Pointed ears are drawn and the skin becomes fair; features keep their form."+lightAlone, person()),
		onePhoto("ai-selfie", "Selfie", "Makes a fresh selfie portrait out of the photo.", "The person is cut out, brought close as through a phone's wide lens and set aslant before a blurred place that is drawn by your words.", person()),
		onePhoto("ai-zombie", "Zombie", "Turns the person into a zombie of a horror film.", "The skin turns grey-green or the colour you name, with dark eyes and veins; features keep their form.", person()),
		onePhoto("anime-image-converter", "Anime", "Redraws the photo in the manner of an anime film.", "Flat bright tones, coloured shade and ink lines over the whole photo; the eyes of a face that is found grow."+lightAlone, thing()),
		onePhoto("bald-filter", "Bald head", "Shows the person without hair.", "On the head skin is painted in the light of the face; what hair hid beside it is completed from what is around."+lightAlone, person()),
		onePhoto("bangs-filter", "Fringe", "Gives the person a fringe.", "A fringe is drawn in the colour of the hair that is found, or all hair in the one you name.", person()),
		onePhoto("buzz-cut-ai", "Buzz cut", "Cuts the person's hair very short.", "Stubble is painted on the head; what hair hid beside it is completed from what is around."+lightAlone, person()),
		onePhoto("chibi-maker", "Chibi figure", "Turns the person into a small figure with a large head.", "The head is cut out and painted flat with large eyes; below it a small body is drawn in the colours of the clothes, on a ground of the colour you name.", person()),
		onePhoto("fat-ai", "Fuller figure", "Shows the person with a fuller figure.", "Trunk, limbs and cheeks are widened row by row; what lies beside them is bent along."+lightAlone, person()),
		onePhoto("gender-swap", "Another gender", "Shows how the person may look as another gender.", "Drawn long hair, smooth skin and red lips, or a drawn beard and heavy brows, by your words or the hair that hangs, which is cut short; the face keeps its form.", person()),
		onePhoto("mugshot-creator", "Height chart portrait", "Sets the person before a height chart, as in a crime film.", "The person is cut out and set before a drawn wall with height lines; a few words of yours stand on the placard.", person()),
		onePhoto("ps2-filter", "Early console game", "Makes the photo look like an early console game.", "Facets, few colours and dither, made from the photo itself; nothing is modelled anew."+lightAlone, thing()),
		onePhoto("skin-color-changer", "Skin tone", "Changes the tone of the person's skin.", "All skin that is found, of face, neck and limbs, takes the tone you name, or one far from its own; light and shade stay.", person()),
		onePhoto("ai-hair-color-changer", "Hair colour", "Gives the person's hair another colour.", recoloursHair, person()),
		onePhoto("hair-color-try-on", "Hair colour try-on", "Lets the person try several hair colours.", recoloursHair, person()),
		translator(onePhoto("ai-translate", "Translate lettering", "Replaces the words in the picture by their translation.", "Words are neither read nor translated: the lettering that is found is replaced from the top by the lines you write; what has no line stays.", thing())),
		onePhoto("image-to-sketch", "Sketch", "Redraws the photo with a pencil.", "Lines and hatching in the colour you name, drawn after the edges and tones of the photo.", thing()),
		onePhoto("ai-3d-rendering", "3D rendering", "Makes a drawing or photo look like a rendered model.", guessedDepth+" The ground takes the colour you name.", thing()),
		onePhoto("2d-to-3d-image-converter", "From flat to solid", "Gives a flat picture depth, light and shadow.", guessedDepth+lightAlone, thing()),
		onePhoto("outfit-generator", "New outfit", "Dresses the person in another outfit.", "Cloth, pattern, collar, buttons and belt in the colours you name are drawn anew on the clothes that are found; their outline and folds stay.", person()),
		onePhoto("ai-hairstyle-changer", "New hairstyle", "Gives the person another hairstyle.", "A fringe, curls, a short cut or a colour, in turns or as you name them, on the photo or on a drawn portrait.", may()),
		onePhoto("ai-room-planner", "Room planner", "Furnishes a room anew, from a photo or from words alone.", "With a photo: walls, floor and light change by the style you name, and drawn furniture stands in it. Without: a drawn room or floor plan.", may()),
		onePhoto("ai-tattoo-generator", "Tattoo design", "Designs a tattoo, from a photo or from words alone.", "A drawn sign that you name, on the largest bare skin of a photo, else on the cheek; by words alone a sheet of designs.", may()),
		onePhoto("ai-spray-paint", "Spray paint", "Makes a spray-painted picture, from a photo or from words alone.", "A photo in a few sprayed tones, or your word sprayed on a drawn wall.", may()),
		onePhoto("ai-dog", "Dog", "Makes a picture of a dog, from a photo or from words alone.", "A drawn dog in the place you name, or in the photo.", may()),
		onePhoto("ai-action-figure-generators", "Action figure", "Shows a person or thing as a boxed action figure, from a photo or from words alone.", "A drawn pack with the name and things you write, around the person of the photo, their head on a drawn body, or a drawn doll.", may()),
		onePhoto("ai-flag-generator", "Flag", "Designs a flag, from a photo or from words alone.", "A drawn flag in the colours and with the sign you name, or with the photo printed on it.", may()),
		onePhoto("ghibli-art-create", "Hand-painted film", "Repaints the photo like a still of a hand-painted film, or paints one from words alone.", "With a photo: flat figures, painted ground, fresh greens and a sky of drawn clouds. Without: a drawn scene of your words.", may()),
		onePhoto("remove-filter-from-photo", "Undo a filter", "Takes a colour filter off the photo again, or makes a picture from words alone.", "With a photo: its colours are balanced; from your text, only light and warmth are used. Without: a drawn scene from your text.", may()),
		onePhoto("random-animal-generator", "Surprise animal", "Makes a picture of an animal nobody expected, from a photo or from words alone.", "A drawn animal in the place you name, or in the photo.", may()),
		onePhoto("pregnant_ai", "Expecting", "Shows the person with a round belly, as in pregnancy.", roundsBelly+lightAlone, originalImage("Photo", "The photo of the person.")),
		onePhoto("wild-graffiti-generator", "Graffiti", "Makes a graffiti picture, from a photo or from words alone.", "A photo in a few sprayed tones, or your word sprayed on a drawn wall.", optional(originalImage("Photo", "A photo to start from; may stay empty."))),

		described(onePhoto("ai-headshot-generator", "Business portrait", "Makes a studio portrait out of a plain photo.", "The person is cut out, framed to head and shoulders and set before a plain drawn wall in the colour you name.", person())),
		described(onePhoto("ai-blemish-remover", "Clear skin", "Takes spots and blemishes off the skin.", "Red spots are painted over with the skin around them and the face is evened out; eyes, nostrils and lips stay."+lightAlone, person())),
		described(onePhoto("photo-wrinkle-remover", "Smooth skin", "Softens the lines of the skin.", "The skin of the face that is found is smoothed in wide strokes and lit under the eyes; eyes, nostrils and lips stay."+lightAlone, person())),
		ghostMannequin(),
	}
}

// onePhoto is the shape of this family: a picture, an optional description, a count.
func onePhoto(name, title, summary, embedded string, photo File) Agent {
	return further("A", Agent{
		Name: name, Title: title, Summary: summary, Embedded: embedded, Files: []File{photo},
		Params: []Param{ownWording("What it should look like", "Say what matters to you."), count()},
	})
}

// described makes an agent's description a required one.
func described(a Agent) Agent {
	for i, p := range a.Params {
		if p.Name == "textDescription" {
			a.Params[i] = required(textDescription(p.Title, "Say what should be done."))
		}
	}
	return a
}

// translator asks for the words that take the place of others.
func translator(a Agent) Agent {
	for i, p := range a.Params {
		if p.Name == "textDescription" {
			a.Params[i] = textDescription("What it should say", "The translation, one line for each line of lettering, from the top. Where words cannot be read and translated it has to be given.")
		}
	}
	return a
}

func ghostMannequin() Agent {
	a := onePhoto("ai-ghost-mannequin-generator", "Ghost mannequin", "Shows the clothes alone, as worn by an invisible figure.",
		"The clothes are cut out and set on white, with a hollow drawn in the collar below a face; without a face all that stands out is taken for clothes. Below long hair cloth is completed. Words are not read.", onePicture("Photo", "The clothes on a person or a mannequin."))
	a.Keeps = "autoApparelSegment"
	a.Params = []Param{
		ownWording("What it should look like", "Say what matters to you."),
		aspectRatio("1:1", orAuto()...),
		imageSize("1K", "1K", "2K", "4K"),
		count(),
	}
	return a
}
