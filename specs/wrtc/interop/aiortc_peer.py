"""A peer connection of aiortc, driven by lines of JSON: a request on stdin, and its answer or an event on stdout.

It sends a tone, reports the received sound as 16-bit samples, and sends received video back.
"""

import asyncio
import base64
import fractions
import json
import math
import sys
import threading

import numpy
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaRelay
from aiortc.mediastreams import AudioStreamTrack
from aiortc.sdp import candidate_from_sdp
from av import AudioFrame

RATE = 48_000
SAMPLES = 960
VOLUME = 12_000


def tell(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


class Tone(AudioStreamTrack):
    """A steady sine, in frames of 20 ms."""

    def __init__(self, frequency):
        super().__init__()
        self.frequency = frequency
        self.sent = 0
        self.began = None

    async def recv(self):
        loop = asyncio.get_running_loop()
        if self.began is None:
            self.began = loop.time()
        wait = self.began + self.sent / RATE - loop.time()
        if wait > 0:
            await asyncio.sleep(wait)
        at = numpy.arange(self.sent, self.sent + SAMPLES)
        wave = VOLUME * numpy.sin(2 * math.pi * self.frequency * at / RATE)
        frame = AudioFrame.from_ndarray(wave.astype(numpy.int16).reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = RATE
        frame.pts = self.sent
        frame.time_base = fractions.Fraction(1, RATE)
        self.sent += SAMPLES
        return frame


async def hear(track):
    """Reports the first channel of the received sound."""
    while True:
        frame = await track.recv()
        samples = frame.to_ndarray().reshape(-1)[:: len(frame.layout.channels)]
        data = base64.b64encode(samples.astype("<i2").tobytes()).decode()
        tell(event="sound", rate=frame.sample_rate, samples=data)


async def main():
    options = json.loads(sys.argv[1])
    pc = RTCPeerConnection()
    relay = MediaRelay()
    tasks = []

    @pc.on("track")
    def on_track(track):
        if track.kind == "audio":
            tasks.append(asyncio.ensure_future(hear(track)))
        else:
            pc.addTrack(relay.subscribe(track))

    @pc.on("connectionstatechange")
    def on_state():
        tell(event="state", state=pc.connectionState)

    pc.addTrack(Tone(options["tone"]))
    loop = asyncio.get_running_loop()
    lines = asyncio.Queue()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        line = await lines.get()
        if line is None:
            break
        request = json.loads(line)
        try:
            tell(id=request["id"], result=await perform(pc, request))
        except Exception as error:  # The other process decides what a failure means.
            tell(id=request["id"], error=f"{type(error).__name__}: {error}")
    for task in tasks:
        task.cancel()
    await pc.close()


async def perform(pc, request):
    do = request["do"]
    if do == "offer":
        await pc.setLocalDescription(await pc.createOffer())
        return pc.localDescription.sdp
    if do == "answer":
        await pc.setRemoteDescription(RTCSessionDescription(sdp=request["sdp"], type="offer"))
        await pc.setLocalDescription(await pc.createAnswer())
        return pc.localDescription.sdp
    if do == "accept":
        await pc.setRemoteDescription(RTCSessionDescription(sdp=request["sdp"], type="answer"))
        return None
    candidate = candidate_from_sdp(request["candidate"].split(":", 1)[1])
    candidate.sdpMid = request["mid"]
    candidate.sdpMLineIndex = request["line"]
    await pc.addIceCandidate(candidate)
    return None


asyncio.run(main())
