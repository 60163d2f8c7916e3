package net

import (
	_ "embed"
	"math"
)

//go:embed weights/pose_landmark_full.tflite
var jointWeights string

var jointNet shared

// JointsMaskSize is the width and height of the mask that JointsOf returns.
const JointsMaskSize = jointInput

// JointCount is how many joints there are.
const JointCount = 33

// The joints of Joints (Bazarevsky et al., BlazePose: On-device Real-time Body Pose tracking, 2020). Right and left
// are the person's own.
const (
	Nose          = 0
	LeftShoulder  = 11
	RightShoulder = 12
	LeftElbow     = 13
	RightElbow    = 14
	LeftWrist     = 15
	RightWrist    = 16
	LeftHip       = 23
	RightHip      = 24
	LeftKnee      = 25
	RightKnee     = 26
	LeftAnkle     = 27
	RightAnkle    = 28
	LeftHeel      = 29
	RightHeel     = 30
	LeftToe       = 31
	RightToe      = 32
)

// How the network's answer is read: mediapipe/modules/pose_landmark/tensors_to_pose_landmarks_and_segmentation.pbtxt.
const (
	jointInput  = 256
	jointValues = 5 // across, down, depth, logits of being visible and of being in the picture
	// Two further points say where the body is: the middle of the hips, and a point as far from it as the body
	// reaches.
	bodyCentre, bodyReach = 33, 34
	bodyMargin            = 1.25
)

// Joint is a joint of a person.
type Joint struct {
	Point
	Visible float64 // 0 to 1: the chance that it is in the picture and that nothing hides it
	Present float64 // 0 to 1: the chance that it is in the picture
}

// Joints are the joints of one person.
type Joints struct {
	At       [JointCount]Joint
	Presence float64 // 0 to 1: the chance that there is a person
	Body     Region  // the upright square around the whole body, for a second look
}

// JointsOf returns the joints of the person in a region, which should reach from head to feet and be upright, and for
// each point of a grid of JointsMaskSize × JointsMaskSize over the square around the region the chance (0 to 1) that
// the person is seen there.
func JointsOf(p Picture, r Region) (joints Joints, mask []float32) {
	run := jointNet.runner(jointWeights)
	defer jointNet.put(run)
	r = r.Square()
	p.sample(run.Input(0), jointInput, jointInput, r, 0, 1)
	run.Run()
	values := run.Output(0)
	at := func(i int) Point {
		x, y := r.At(float64(values[jointValues*i])/jointInput, float64(values[jointValues*i+1])/jointInput)
		return Point{x, y}
	}
	out := Joints{Presence: float64(run.Output(1)[0])}
	for i := range out.At {
		v := values[jointValues*i:][:jointValues]
		out.At[i] = Joint{Point: at(i), Visible: float64(sigmoidOf(v[3])), Present: float64(sigmoidOf(v[4]))}
	}
	centre, reach := at(bodyCentre), at(bodyReach)
	side := 2 * bodyMargin * math.Hypot(reach.X-centre.X, reach.Y-centre.Y)
	out.Body = Region{X: centre.X, Y: centre.Y, W: side, H: side, Angle: math.Atan2(reach.X-centre.X, centre.Y-reach.Y)}
	mask = make([]float32, JointsMaskSize*JointsMaskSize)
	for i, v := range run.Output(2) {
		mask[i] = sigmoidOf(v)
	}
	return out, mask
}
