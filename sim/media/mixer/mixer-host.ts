/**
 * The mixer: the process that decodes the voices of rooms, mixes them, and encodes a mix for each participant. Its
 * parent is mixer.ts, which kills it: native media can crash a process that ends by itself.
 */
import * as v from 'valibot';
import { hostClock } from '../../../src/common/host-clock.ts';
import { type AudioSink, type AudioSource, wrtc } from '../wrtc.ts';
import { FRAME_SAMPLES, mixFrame, Voice } from './mix.ts';
import { mixerCommand, type MixerCommand, type MixerNews } from './messages.ts';

const SAMPLE_RATE = 48_000;
const FRAME_MS = 10;
/** The frames that are made up for after a stall. Older ones are left out. */
const MOST_LATE = 5;

interface Member {
  readonly room: string;
  readonly voice: Voice;
  readonly connection: RTCPeerConnection;
  readonly source: AudioSource;
  readonly track: MediaStreamTrack;
  sink: AudioSink | null;
}

const members = new Map<string, Member>();

const send = (news: MixerNews) => {
  if (process.connected) process.send?.(news);
};

async function add(id: string, room: string): Promise<void> {
  const connection = new wrtc.RTCPeerConnection({});
  const source = new wrtc.nonstandard.RTCAudioSource();
  const track = source.createTrack();
  const member: Member = { room, voice: new Voice(), connection, source, track, sink: null };
  members.set(id, member);
  connection.addEventListener('track', (event) => {
    const sink = new wrtc.nonstandard.RTCAudioSink(event.track);
    member.sink = sink;
    sink.ondata = ({ samples, sampleRate, channelCount }) => {
      // The engine plays silence at another rate before the first packet.
      if (sampleRate === SAMPLE_RATE) member.voice.hear(firstChannel(samples, channelCount));
    };
  });
  connection.addTransceiver(track, { direction: 'sendrecv' });
  const offer = await connection.createOffer();
  await connection.setLocalDescription(offer);
  if (members.get(id) === member) send({ type: 'offer', voice: id, sdp: offer.sdp ?? '' });
}

/** Returns a copy of the first channel: the engine uses its buffer again. */
const firstChannel = (samples: Int16Array, channels: number) =>
  channels === 1 ? samples.slice() : Int16Array.from({ length: FRAME_SAMPLES }, (_, at) => samples[at * channels] ?? 0);

function remove(id: string): void {
  const member = members.get(id);
  if (!member) return;
  members.delete(id);
  member.sink?.stop();
  member.track.stop();
  member.connection.close();
}

async function execute(command: MixerCommand): Promise<void> {
  if (command.type === 'add') await add(command.voice, command.room);
  else if (command.type === 'remove') remove(command.voice);
  else await members.get(command.voice)?.connection.setRemoteDescription({ type: 'answer', sdp: command.sdp });
}

function mixAll(): void {
  const rooms = new Map<string, Member[]>();
  for (const member of members.values()) rooms.set(member.room, [...(rooms.get(member.room) ?? []), member]);
  for (const inRoom of rooms.values()) {
    const mixes = mixFrame(inRoom.map(({ voice }) => voice));
    for (const [at, { source }] of inRoom.entries()) {
      source.onData({
        samples: mixes[at] ?? new Int16Array(FRAME_SAMPLES),
        sampleRate: SAMPLE_RATE,
        bitsPerSample: 16,
        channelCount: 1,
        numberOfFrames: FRAME_SAMPLES,
      });
    }
  }
}

/** Mixes at a steady rate: a late frame is made up for, so that the rate stays that of the clients. */
function startMixing(): void {
  const clock = hostClock();
  let due = clock.now();
  const beat = () => {
    const now = clock.now();
    if (now - due > MOST_LATE * FRAME_MS) due = now;
    while (due <= now) {
      mixAll();
      due += FRAME_MS;
    }
    clock.after(due - clock.now(), beat);
  };
  beat();
}

process.on('message', (message) => {
  const parsed = v.safeParse(mixerCommand, message);
  if (!parsed.success) process.exit(1);
  // A voice that cannot be negotiated was removed meanwhile.
  execute(parsed.output).catch(() => undefined);
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
startMixing();
send({ type: 'ready' });
