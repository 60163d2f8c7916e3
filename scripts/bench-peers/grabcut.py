"""OpenCV's GrabCut from a rectangle, five rounds: grabcut.py width height rgba-file mask-file-or-"-" """
import sys

import cv2
import numpy as np

from timed import timed

w, h = int(sys.argv[1]), int(sys.argv[2])
picture = np.ascontiguousarray(np.fromfile(sys.argv[3], np.uint8).reshape(h, w, 4)[:, :, 2::-1])
rectangle = (w // 25, h // 25, w - 2 * (w // 25), h - 2 * (h // 25))


def cut():
    mask = np.zeros((h, w), np.uint8)
    cv2.grabCut(picture, mask, rectangle, np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
    return (mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD)


kept = timed(cut)
if sys.argv[4] != "-":
    truth = np.fromfile(sys.argv[4], np.uint8).reshape(h, w) >= 128
    print(f"IoU {(kept & truth).sum() / max(1, (kept | truth).sum()):.4f}")
