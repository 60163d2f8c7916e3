"""OpenCV's inpainting after Telea, radius 3: inpaint.py width height rgba-file hole-file"""
import sys

import cv2
import numpy as np

from timed import timed

w, h = int(sys.argv[1]), int(sys.argv[2])
picture = np.ascontiguousarray(np.fromfile(sys.argv[3], np.uint8).reshape(h, w, 4)[:, :, :3])
hole = np.fromfile(sys.argv[4], np.uint8).reshape(h, w)
timed(lambda: cv2.inpaint(picture, hole, 3, cv2.INPAINT_TELEA))
