package generate

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"atelier/service/engine"
)

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
	// pictures and words are the agent's own sentence, with pictures and without. {text} in them is the user's text,
	// which otherwise stands before or after them.
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
	stayLetters = "The service sets the given words exactly; an engine would misspell them. " + switchOn
	stayCollage = "The service lays the given pictures out unchanged. " + switchOn
	switchOn    = "A prompt in the engine file switches the engine on."
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
	onHeadOrNot = []engine.Mode{engine.Inpaint, engine.Edit, engine.Text} // changes a head, or draws one by words
)

// besideHair is the reach of agents that change what lies within the head: the old hair's soft edge has to go with it.
const besideHair = 0.06

// onHead redraws a head within the mask, reach beyond it.
func onHead(reach float64) agent { return agent{modes: onMaskElse, keeps: allButHead, reach: reach} }

// onFace changes a face so little that it stays the person's own.
func onFace() agent {
	return agent{modes: onMaskElse, keeps: allButHead, reach: besideHair, strength: strengthSlight}
}

//go:embed prompts.json
var promptsFile []byte

// agents are those that an engine makes, by name, with the default sentences of prompts.json: the documents have one
// for every agent and do not print it (Run API, "Catalog of further agents").
var agents = withPrompts(map[string]agent{
	"aiproduct":    {modes: onMaskElse, keeps: protected, textFirst: true},
	"aimodel":      {modes: onMask, keeps: protected, textFirst: true},
	"aipose":       {modes: onEdit},
	"expandimage":  {modes: onMask, keeps: theOriginal, strength: strengthExpand},
	"virtualtryon": {modes: onEdit, textFirst: true},

	// Family A.
	"ai-aging":                     onHead(besideHair),
	"ai-elf":                       onHead(0.12),
	"ai-selfie":                    {modes: onEdit},
	"ai-zombie":                    {modes: onEdit},
	"anime-image-converter":        {modes: onEdit},
	"bald-filter":                  onHead(besideHair),
	"bangs-filter":                 onHead(besideHair),
	"buzz-cut-ai":                  onHead(besideHair),
	"chibi-maker":                  {modes: onEdit},
	"fat-ai":                       {modes: onEdit},
	"gender-swap":                  onHead(0.3),
	"mugshot-creator":              {modes: onEdit},
	"ps2-filter":                   {modes: onEdit},
	"skin-color-changer":           {modes: onEdit},
	"ai-hair-color-changer":        onHead(besideHair),
	"hair-color-try-on":            onHead(besideHair),
	"ai-translate":                 {modes: onEdit},
	"image-to-sketch":              {modes: onEdit},
	"ai-3d-rendering":              {modes: onEdit},
	"2d-to-3d-image-converter":     {modes: onEdit},
	"outfit-generator":             {modes: onEdit},
	"ai-hairstyle-changer":         {modes: onHeadOrNot, keeps: allButHead, reach: 0.3},
	"ai-room-planner":              {modes: onEditOrNot},
	"ai-tattoo-generator":          {modes: onEditOrNot},
	"ai-spray-paint":               {modes: onEditOrNot},
	"ai-dog":                       {modes: onEditOrNot},
	"ai-action-figure-generators":  {modes: onEditOrNot},
	"ai-flag-generator":            {modes: onEditOrNot},
	"ghibli-art-create":            {modes: onEditOrNot},
	"remove-filter-from-photo":     {modes: onEditOrNot},
	"random-animal-generator":      {modes: onEditOrNot},
	"pregnant_ai":                  {modes: onEdit},
	"wild-graffiti-generator":      {modes: onEditOrNot},
	"ai-headshot-generator":        {modes: onEdit},
	"ai-blemish-remover":           onFace(),
	"photo-wrinkle-remover":        onFace(),
	"ai-ghost-mannequin-generator": {modes: onEdit},
	"glasses-remover-from-photo":   {modes: onEdit},

	// Family B.
	"ai-clothes-changer":       {modes: onEdit},
	"ai-face-merge":            {modes: onEdit},
	"ai-image-combiner":        {modes: onEdit},
	"image-mixer":              {modes: onEdit},
	"ai-couple-photo-maker":    {modes: onEdit},
	"ai-group-photo-generator": {modes: onEdit},
	"baby-face-generator":      {modes: onEditOrNot},
	"ai-landscape-design-free": {modes: onEditOrNot},
	"ai-photoshoot":            {modes: onEdit},

	// Family C.
	"z-image":               {modes: onText, textFirst: true},
	"ai-poster":             {modes: onEditOrNot},
	"ai-poster-from-images": {modes: onEditOrNot},
	"flat-lay":              {modes: onEdit},
	"face-forge":            {modes: onEditOrNot},

	// Family D.
	"image-studio":  {modes: onEditOrNot, textFirst: true},
	"image-search":  {modes: onEditOrNot, textFirst: true},
	"image-light":   {modes: onEditOrNot, textFirst: true},
	"image-quality": {modes: onEditOrNot, textFirst: true},
	"image-edit":    {modes: onEditOrNot, textFirst: true},
})

// withPrompts gives each agent its sentences, and panics where the file lacks one or has one too many.
func withPrompts(table map[string]agent) map[string]agent {
	var file map[string]struct{ Pictures, Words string }
	if err := json.Unmarshal(promptsFile, &file); err != nil {
		panic(fmt.Errorf("read prompts.json: %w", err))
	}
	for name, a := range table {
		a.pictures, a.words = file[name].Pictures, file[name].Words
		if a.pictures == "" && a.words == "" {
			panic("prompts.json has no sentence for " + name)
		}
		table[name] = a
	}
	if len(file) != len(table) {
		panic("prompts.json has sentences for agents that no engine makes")
	}
	return table
}
