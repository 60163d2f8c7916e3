package segment

import _ "embed"

// Notice states what the embedded weights were learned from.
//
//go:embed NOTICE
var Notice string

// FaceFinderLicence states the origin and licence of the embedded face cascade.
//
//go:embed LICENSE.facefinder
var FaceFinderLicence string
