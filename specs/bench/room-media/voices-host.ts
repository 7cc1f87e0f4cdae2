/** A process with some participants of a large room. Each sends a tone, and measures the tones of the mix. */
import * as v from 'valibot';
import { listenTo, type MediaSink } from '../../../cli/headless/media/sinks.ts';
import { createWrtcPlatform } from '../../../cli/headless/platform/wrtc-platform.ts';
import { signIn } from '../../../cli/headless/sign-in.ts';
import { createMixMeter, type MixMeter } from './mix-meter.ts';
import { voicesCommand, type VoicesCommand, type VoicesEvent } from './voices-messages.ts';

type Enter = Extract<VoicesCommand, { readonly type: 'enter' }>;

const meters: MixMeter[] = [];
const emit = (event: VoicesEvent) => void process.send?.(event);

async function enter({ server, appId, roomId, voices, tones, volume }: Enter): Promise<void> {
  for (const { userId, tone } of voices) {
    const media = { tone, volume, width: 320, height: 240, fps: 1 };
    const platform = createWrtcPlatform(media, (_level, line) => void process.stderr.write(`${line}\n`));
    const client = await signIn({ server, appId, userId }, platform);
    const room = await client.fetchRoomById(roomId);
    const meter = createMixMeter(tones);
    room.setAudioForLargeRoom(measuringElement(meter));
    await room.enter();
    meters.push(meter);
  }
  emit({ type: 'entered' });
}

/** Makes the replacement of an element, which measures the stream that the library assigns. */
function measuringElement(meter: MixMeter): HTMLAudioElement {
  let sink: MediaSink | null = null;
  let stream: MediaStream | null = null;
  const element = {
    get srcObject() {
      return stream;
    },
    set srcObject(next: MediaStream | null) {
      sink?.stop();
      stream = next;
      const track = next?.getAudioTracks()[0];
      sink = track ? listenTo(track, meter) : null;
    },
  };
  return element as unknown as HTMLAudioElement;
}

process.on('message', (message) => {
  const command = v.parse(voicesCommand, message);
  if (command.type === 'turn') emit({ type: 'readings', readings: meters.map((meter) => meter.turn()) });
  else enter(command).catch((error: unknown) => emit({ type: 'failed', message: String(error) }));
});
process.on('disconnect', () => process.exit(0));
emit({ type: 'ready' });
