// Package components is what the studio's pages are put together from. A component shows the exported fields it is given
// and tells its port what the designer did; it loads nothing and decides nothing. Components have no exported functions
// among their fields: the framework cannot compare those and would draw again for nothing.
package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// The icons: one stroke set on a 20 px field, drawn for this studio.
var icons = map[string]string{
	"mark":           "M10 2.5 17 6.5v7L10 17.5 3 13.5v-7zM10 2.5v15M3 6.5l14 7M17 6.5l-14 7",
	"studio":         "M16.5 3.5 9.2 10.8M7 11.5c1.4 0 2.5 1.1 2.5 2.5S8 17 3.5 16.5c1-.8 1-1.6 1-2.5A2.5 2.5 0 0 1 7 11.5z",
	"gallery":        "M3.5 3.5H9V9H3.5zM11 3.5h5.5V9H11zM3.5 11H9v5.5H3.5zM11 11h5.5v5.5H11z",
	"library":        "M3.5 4h4v12h-4zM8.5 4h4v12h-4zM13.2 5l3.4-.9 2 11.3-3.4.8z",
	"tasks":          "M3.5 5h2M8 5h8.5M3.5 10h2M8 10h8.5M3.5 15h2M8 15h8.5",
	"help":           "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM8 8.1a2 2 0 1 1 2.8 1.8c-.6.3-.8.6-.8 1.2M10 13.7v.1",
	"settings":       "M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 4v4M7.5 12v4",
	"brush":          "M16.5 3.5 9.2 10.8M7 11.5c1.4 0 2.5 1.1 2.5 2.5S8 17 3.5 16.5c1-.8 1-1.6 1-2.5A2.5 2.5 0 0 1 7 11.5z",
	"eraser":         "M8 16.5h8.5M11.3 4 16 8.7l-7.2 7.3H6.2L3 12.8zM6.8 8.7l4.7 4.6",
	"lasso":          "M10 3.8c4 0 7 1.9 7 4.5s-3 4.5-7 4.5-7-1.9-7-4.5 3-4.5 7-4.5zM5 11.8c-1 1.4-.5 3.7 1.6 3.6 1.5-.1 1.4-1.9.2-2.6M6.4 15.4c0 1-.4 1.6-1 2",
	"rect":           "M3.5 6.5v-3h3M13.5 3.5h3v3M16.5 13.5v3h-3M6.5 16.5h-3v-3M9 3.5h2M9 16.5h2M3.5 9v2M16.5 9v2",
	"polygon":        "M4 6.5 11 3l5.5 6-3.5 7-8-1zM4 6.5v.1M11 3v.1M16.5 9v.1M13 16v.1",
	"ellipse":        "M10 4.5c4 0 7 2.4 7 5.5s-3 5.5-7 5.5-7-2.4-7-5.5 3-5.5 7-5.5z",
	"wand":           "M3.5 16.5l8-8M13.5 3v3M12 4.5h3M16 8.5v2.5M14.8 9.8h2.5M8 4v2.5M6.8 5.2h2.5",
	"bucket":         "M8.5 3.5l7 7-5.5 5.5a1.4 1.4 0 0 1-2 0l-4.5-4.5a1.4 1.4 0 0 1 0-2zM3.2 10.5h12M17 13c.8 1.2 1.2 1.9 1.2 2.5a1.2 1.2 0 0 1-2.4 0c0-.6.4-1.3 1.2-2.5z",
	"smart":          "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M10 6l1.1 2.9L14 10l-2.9 1.1L10 14l-1.1-2.9L6 10l2.9-1.1z",
	"refine":         "M4 5.5h6M14 5.5h2M4 10h2M10 10h6M4 14.5h7M15 14.5h1M12 4v3M8 8.5v3M13 13v3",
	"rotate":         "M15.5 10a5.5 5.5 0 1 1-1.7-4l2.2 2M16 4v4h-4",
	"save":           "M4 3.5h9l3.5 3.5v9.5h-13V4zM6.5 3.5V7H12V3.5M6 16.5V11h8v5.5",
	"hand":           "M7 10V5.2a1.2 1.2 0 0 1 2.4 0V9V4.2a1.2 1.2 0 0 1 2.4 0V9V5.2a1.2 1.2 0 0 1 2.4 0V12c0 3-1.7 5-4.4 5-2.2 0-3.2-.9-4.2-2.6l-1.9-2.8c-.8-1.3.9-2.4 1.9-1.2L7 12z",
	"undo":           "M7 4 3.5 7.5 7 11M4 7.5h7.5a4.5 4.5 0 0 1 0 9H8",
	"redo":           "M13 4l3.5 3.5L13 11M16 7.5H8.5a4.5 4.5 0 0 0 0 9H12",
	"invert":         "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 3v14M10 6h4.6M10 9h6.6M10 12h6.6M10 15h4.2",
	"flip":           "M10 3v14M7.2 6 3.5 14h3.7zM12.8 6l3.7 8h-3.7z",
	"trash":          "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.7 10.5h7.6l.7-10.5M8.5 8.5v4.5M11.5 8.5v4.5",
	"fit":            "M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4",
	"plus":           "M10 4v12M4 10h12",
	"minus":          "M4 10h12",
	"close":          "M5 5l10 10M15 5 5 15",
	"check":          "M4 10.5l4 4 8-9",
	"down":           "M5 7.5l5 5 5-5",
	"up":             "M5 12.5l5-5 5 5",
	"alone":          "M3.5 4.5h13v11h-13zM6.5 7.5h7v5h-7z",
	"left":           "M12.5 4l-6 6 6 6",
	"right":          "M7.5 4l6 6-6 6",
	"search":         "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17",
	"star":           "M10 3l2.1 4.6 5 .6-3.7 3.4 1 5L10 14.1l-4.4 2.5 1-5L2.9 8.2l5-.6z",
	"heart":          "M10 16.5S3.5 12.6 3.5 8A3.4 3.4 0 0 1 10 6.4 3.4 3.4 0 0 1 16.5 8c0 4.6-6.5 8.5-6.5 8.5z",
	"download":       "M10 3.5v9M6 9l4 4 4-4M3.5 16.5h13",
	"compare":        "M10 2.5v15M3.5 4.5H10v11H3.5zM12.5 4.5h4v11h-4",
	"retry":          "M16 10a6 6 0 1 1-1.8-4.3L16.5 8M16.5 3.5V8H12",
	"alert":          "M10 3.5 17.5 16.5h-15zM10 8.5v3.5M10 14.2v.1",
	"unsure":         "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6.5v4.5M10 13.6v.1",
	"clock":          "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4.2l2.8 1.8",
	"busy":           "M10 3a7 7 0 1 1-7 7",
	"image":          "M3.5 4h13v12h-13zM3.5 13.5l4-4 3.5 3.5 2-2 3.5 3.5M13 7.6v.1",
	"upload":         "M10 13V4M6 7.5 10 3.5l4 4M3.5 13v3.5h13V13",
	"recall":         "M4 4v5h5M4.5 8.5A6.3 6.3 0 1 1 4 12",
	"info":           "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.2v4.3M10 6.4v.1",
	"out":            "M8 3.5H3.5v13H8M8 10h9M13.5 6.5 17 10l-3.5 3.5",
	"panel":          "M3.5 4h13v12h-13zM12 4v12",
	"play":           "M6 4l10 6-10 6z",
	"layers":         "M10 3.5 17 7.5l-7 4-7-4zM4.5 10.5 3 11.5l7 4 7-4-1.5-1",
	"lock":           "M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9",
	"film":           "M3.5 4h13v12h-13zM7 4v12M13 4v12M3.5 8H7M3.5 12H7M13 8h3.5M13 12h3.5",
	"sound":          "M3.5 8v4H6l4 3.5v-11L6 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5a7 7 0 0 1 0 10",
	"next-frame":     "M5 4l7 6-7 6zM15 4v12",
	"previous-frame": "M15 4l-7 6 7 6zM5 4v12",
	"flag":           "M5 17V3.5h10l-2.5 3.5 2.5 3.5H5",
	"boards":         "M3.5 3.5h6v13h-6zM11.5 3.5h5v6h-5zM11.5 11.5h5v5h-5z",
	"board":          "M3.5 3.5h6v13h-6zM11.5 3.5h5v6h-5zM11.5 11.5h5v5h-5z",
	"restore":        "M3.5 6.5 7 3v7zM7 6.5h5a4.5 4.5 0 0 1 0 9H6",
	"full":           "M3.5 8V3.5H8M12 3.5h4.5V8M16.5 12v4.5H12M8 16.5H3.5V12",
	"grid":           "M3.5 3.5H9V9H3.5zM11 3.5h5.5V9H11zM3.5 11H9v5.5H3.5zM11 11h5.5v5.5H11z",
	"filter":         "M3 5h14M5.5 10h9M8 15h4",
	"heat":           "M10 3c1 3 4.5 4.5 4.5 8.5a4.5 4.5 0 0 1-9 0C5.500 9 8 8.500 8 5.500 9.500 6.500 10 8 10 9.500",
	"eye":            "M2.5 10s3-5 7.5-5 7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
	"link":           "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1",
	"copy":           "M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7",
}

// Icon draws an icon that says nothing by itself: the control around it carries the name.
func Icon(name string) app.UI { return icon(name, "icon") }

// SmallIcon is Icon at the size of text.
func SmallIcon(name string) app.UI { return icon(name, "icon icon--small") }

// FilledIcon is Icon with its inside filled: a star or heart that is set.
func FilledIcon(name string) app.UI { return icon(name, "icon icon--filled") }

const svgSpace = "http://www.w3.org/2000/svg"

func icon(name, class string) app.UI { return Drawn(iconNode(name, class)) }
