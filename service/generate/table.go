package generate

import "atelier/service/engine"

// keeping is what of the source stays as it is, pixel for pixel, whatever an engine answers.
type keeping int

const (
	nothing     keeping = iota
	protected           // the segmentation's region
	allButHead          // everything outside the segmentation's region, which is the head
	theOriginal         // all of the original on its larger canvas
)

// agent is how an engine makes the pictures of one agent.
type agent struct {
	modes []engine.Mode // the best first; Text only counts without pictures, the others only with some
	keeps keeping
	// reach is how far what is redrawn of a head goes beyond it, as a share of the head's longer side.
	reach    float64
	strength float64 // of Inpaint and Edit jobs; 0 = strengthUsual
	// pictures and words are the agent's own sentence, with pictures and without. {text} in them is the user's text, which
	// otherwise stands before or after them.
	pictures, words string
	textFirst       bool // the user's text comes before the agent's sentence
}

// Strengths of jobs, 0 to 1.
const (
	strengthUsual  = 0.75
	strengthRefers = 0.6  // generatedContent referToOrigin
	strengthFree   = 0.95 // generatedContent freeCreation
	strengthExpand = 0.9  // the canvas is filled already with what the engine may go on from
	strengthSlight = 0.45 // a face must stay the person's own
)

// Why agents are never given to an engine, or only with a prompt of the operator's.
const (
	stayExact   = "The service's own cut-out is exact and faster."
	stayLetters = "The service sets the given words exactly; an engine would misspell them. A prompt in the engine file switches the engine on."
	stayCollage = "The service lays the given pictures out unchanged. A prompt in the engine file switches the engine on."
	stayVideo   = "The engine makes pictures and no videos."
)

// stays are the agents that are made without an engine, with the reason.
var stays = map[string]string{
	"removeBG":                 stayExact,
	"ai-collage-maker":         stayCollage,
	"flowchart-generator":      stayLetters,
	"ai-infographic-generator": stayLetters,
	"ai-logo-generator":        stayLetters,
	"portrait-motion":          stayVideo,
}

// switchable are agents of stays that an engine makes once the operator gives it a prompt.
var switchable = map[string]agent{
	"ai-collage-maker":         {modes: onEdit},
	"flowchart-generator":      {modes: onText},
	"ai-infographic-generator": {modes: onText},
	"ai-logo-generator":        {modes: onText},
}

// Modes of agents, the best first.
var (
	onMask      = []engine.Mode{engine.Inpaint}
	onMaskElse  = []engine.Mode{engine.Inpaint, engine.Edit}
	onEdit      = []engine.Mode{engine.Edit}
	onText      = []engine.Mode{engine.Text}
	onEditOrNot = []engine.Mode{engine.Edit, engine.Text}
)

const (
	samePerson = " Same person, same face, same clothes, same pose, same background."
	sameScene  = " Everything else in the photograph stays as it is."
	likePhoto  = " A natural photograph."
)

// besideHair is the reach of agents that change what lies within the head: the old hair's soft edge has to go with it.
const besideHair = 0.06

func head(sentence string) agent {
	return agent{modes: onMaskElse, keeps: allButHead, reach: besideHair, pictures: sentence + samePerson + likePhoto}
}

func largerHead(reach float64, sentence string) agent {
	a := head(sentence)
	a.reach = reach
	return a
}

func slightly(sentence string) agent {
	a := head(sentence)
	a.strength = strengthSlight
	return a
}

func edit(sentence string) agent { return agent{modes: onEdit, pictures: sentence} }

func editOrNot(pictures, words string) agent {
	return agent{modes: onEditOrNot, pictures: pictures, words: words}
}

// agents are those that an engine makes, by name, each with its default sentence: the documents have one for every
// agent and do not print it (Run API, "Catalog of further agents").
var agents = map[string]agent{
	"aiproduct": {
		modes: onMaskElse, keeps: protected, textFirst: true,
		pictures: "Product photograph, the product unchanged, natural contact shadow.",
	},
	"aimodel": {
		modes: onMask, keeps: protected, textFirst: true,
		pictures: "Fashion photograph, natural light and shadow.",
	},
	"aipose": {
		modes: onEdit, pictures: "Same person, same clothes, same place. Pose: {text}.",
	},
	"expandimage": {
		modes: onMask, keeps: theOriginal, strength: strengthExpand,
		pictures: "Continue the photograph beyond its edges: the same place, light and perspective, without a frame or a seam.",
	},
	"virtualtryon": {
		modes: onEdit, textFirst: true,
		pictures: "The garment keeps its cut, colours, print and details. Fashion photograph.",
	},

	// Family A.
	"ai-aging":                     head("The person is many years older: grey hair, wrinkles and age spots."),
	"ai-elf":                       largerHead(0.12, "The person is an elf of a fantasy tale, with long pointed ears and fair skin."),
	"ai-selfie":                    edit("A fresh smartphone selfie of the person in the photograph, taken at arm's length. The same face."),
	"ai-zombie":                    edit("The person is a zombie from a horror film: grey-green skin, dark sunken eyes, visible veins." + sameScene),
	"anime-image-converter":        edit("Redraw the photograph in the style of an anime, with clean lines and flat bright colours. The same composition."),
	"bald-filter":                  head("The person is completely bald, with a smooth natural scalp."),
	"bangs-filter":                 head("The person's hair has a fringe over the forehead, in the colour of the hair."),
	"buzz-cut-ai":                  head("The person's hair is cut very short, a buzz cut."),
	"chibi-maker":                  edit("Turn the person into a chibi figure: a large head with large eyes, a small body, the same clothes and hair."),
	"fat-ai":                       edit("The person has a much fuller figure, with a round face. The same person, clothes, pose and place."),
	"gender-swap":                  largerHead(0.3, "The person is of the other gender, with fitting hair and features, and can still be recognised."),
	"mugshot-creator":              edit("A police photograph of the person, as in a crime film: from the front, before a wall with a height chart, holding a blank placard. The same face."),
	"ps2-filter":                   edit("Make the photograph look like a video game of the year 2000: few polygons, blurred textures. The same composition."),
	"skin-color-changer":           edit("Change the tone of the person's skin, evenly on face, neck and limbs. The features, hair and clothes stay." + sameScene),
	"ai-hair-color-changer":        head("The person's hair has another colour; its cut stays."),
	"hair-color-try-on":            head("The person's hair is dyed in another colour; its cut stays."),
	"ai-translate":                 edit("Translate the lettering in the picture and set the translation in its place, in the same type, size and colour." + sameScene),
	"image-to-sketch":              edit("Redraw the photograph as a pencil sketch with fine lines and hatching on white paper. The same composition."),
	"ai-3d-rendering":              edit("Turn the picture into a rendered 3D model with realistic materials and studio light. The same composition."),
	"2d-to-3d-image-converter":     edit("Turn the flat picture into a scene with real depth, volume, light and shadow. The same composition."),
	"outfit-generator":             edit("Dress the person in another complete, well fitting outfit. The same person, face, hair, pose and place."),
	"ai-hairstyle-changer":         {modes: onHeadOrNot, keeps: allButHead, reach: 0.3, pictures: "The person has another hairstyle." + samePerson + likePhoto, words: "A studio portrait of a person with a modern hairstyle."},
	"ai-room-planner":              editOrNot("Furnish this room anew. Walls, windows, doors and the view stay where they are.", "A photograph of a furnished room, wide angle, daylight."),
	"ai-tattoo-generator":          editOrNot("Add a tattoo to the bare skin in the photograph, following the shape of the body."+sameScene, "A tattoo design, black ink on white paper."),
	"ai-spray-paint":               editOrNot("Redraw the photograph as spray paint on a concrete wall, in a few bold colours.", "Spray paint on a concrete wall, in a few bold colours."),
	"ai-dog":                       editOrNot("Add a dog to the photograph, in its light and in the right size."+sameScene, "A photograph of a dog, sharp, in natural light."),
	"ai-action-figure-generators":  editOrNot("Show the person of the photograph as a plastic action figure with accessories in a blister pack with a printed card.", "A plastic action figure with accessories in a blister pack with a printed card."),
	"ai-flag-generator":            editOrNot("A flag with the motif of the picture printed on it, waving at a pole before the sky.", "A flag waving at a pole before the sky."),
	"ghibli-art-create":            editOrNot("Repaint the photograph like a still from a hand-painted animated film, with soft colours and a painted background. The same composition.", "A still from a hand-painted animated film, with soft colours and a painted background."),
	"remove-filter-from-photo":     editOrNot("Remove colour filters and effects from the photograph; give it natural colours and contrast. Change nothing else.", "A photograph in natural colours, without effects."),
	"random-animal-generator":      editOrNot("Add a surprising animal to the photograph, in its light and in the right size."+sameScene, "A photograph of a surprising animal, sharp, in natural light."),
	"pregnant_ai":                  edit("The person is expecting a child, with a round belly. The same person, face, clothes, pose and place."),
	"wild-graffiti-generator":      editOrNot("Redraw the photograph as wild graffiti on a brick wall, in bright colours.", "Wild graffiti on a brick wall, in bright colours."),
	"ai-headshot-generator":        edit("A business portrait of the person, head and shoulders, before a plain studio background in soft light. The same face."),
	"ai-blemish-remover":           slightly("The skin of the face is free of spots and blemishes and keeps its natural texture."),
	"photo-wrinkle-remover":        slightly("The lines and wrinkles of the face are softer; the skin keeps its natural texture."),
	"ai-ghost-mannequin-generator": edit("Show the clothes alone, as if worn by an invisible figure: no person, no mannequin, the inside of the collar visible, on pure white. The clothes stay exactly as they are."),
	"glasses-remover-from-photo":   edit("Remove the glasses from every face; eyes, brows and skin look natural." + sameScene),

	// Family B.
	"ai-clothes-changer":       edit("The person of image 1 wears the garment of image 2. Face, hair, pose and background of image 1 stay."),
	"ai-face-merge":            edit("The person of image 1 with the facial features of image 1 and image 2 merged into one face. Hair, clothes and background of image 1 stay."),
	"ai-image-combiner":        edit("Set the subject of image 1 into image 2, in its light, perspective and size."),
	"image-mixer":              edit("Blend image 1 and image 2 into one new picture with the subjects and the style of both."),
	"ai-couple-photo-maker":    edit("A photograph of the person of image 1 and the person of image 2 together, as a couple. The same faces."),
	"ai-group-photo-generator": edit("A group photograph of the people of all the images together, side by side. The same faces."),
	"baby-face-generator":      editOrNot("A portrait of a baby whose parents are the people in the images.", "A portrait of a baby, soft light, plain background."),
	"ai-landscape-design-free": editOrNot("Plan a garden in the yard of image 1: beds, paths, shrubs and seats. House and horizon stay. Follow the style of image 2 if there is one.", "A photograph of a well planned garden with beds, paths, shrubs and seats."),
	"ai-photoshoot":            edit("Set the person of image 1 into the scene of image 2, as in a photo shoot, in its light. The same face and clothes; nobody else of image 2 remains."),

	// Family C.
	"z-image":               {modes: onText, textFirst: true, words: "Well composed, sharp and detailed."},
	"ai-poster":             editOrNot("Design a poster with the pictures and with exactly these words, well set: {text}.", "Design a poster with exactly these words, well set: {text}."),
	"ai-poster-from-images": editOrNot("Design a poster around the pictures, with a clear layout and little lettering.", "Design a poster with a clear layout and little lettering."),
	"flat-lay":              edit("A flat lay from directly above: the product of the photograph, unchanged, on a fitting surface with a few props and soft shadows."),
	"face-forge":            editOrNot("A portrait of a new person whose face has features of the people in the images.", "A portrait of a person, head and shoulders, natural light."),

	// Family D.
	"image-studio":  edited(),
	"image-search":  edited(),
	"image-light":   edited(),
	"image-quality": edited(),
	"image-edit":    edited(),
}

// onHeadOrNot are the modes of the agent that changes a head, or draws one by words.
var onHeadOrNot = []engine.Mode{engine.Inpaint, engine.Edit, engine.Text}

// edited is the entry of family D's agents, whose text says everything.
func edited() agent {
	return agent{
		modes: onEditOrNot, textFirst: true,
		pictures: "What the text does not mention stays as it is.", words: "Well composed, sharp and detailed.",
	}
}
