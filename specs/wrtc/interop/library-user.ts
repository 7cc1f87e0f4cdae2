/** A user of the calling library over wrtc in this process, who sends and measures a tone and a picture. */
import { createMeasuredView, type MeasuredView } from '../../../cli/headless/measured-view.ts';
import { soundOf } from '../../../cli/headless/measuring/sound-span.ts';
import { createWrtcPlatform, type HeadlessPlatform } from '../../../cli/headless/platform/wrtc-platform.ts';
import { signIn } from '../../../cli/headless/sign-in.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import type { Client } from '../../../src/calls/client/client.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';

const PICTURE = { width: 160, height: 120, fps: 15 };

export class LibraryUser {
  readonly client: Client;
  readonly view: MeasuredView = createMeasuredView(nodeClock);
  readonly platform: HeadlessPlatform;
  call: DirectCall | null = null;
  isConnected = false;

  private constructor(client: Client, platform: HeadlessPlatform) {
    this.client = client;
    this.platform = platform;
    client.addListener('interop', {
      onRinging: (call) => {
        this.call = call;
        call.onConnected = () => (this.isConnected = true);
        call.accept({ callOption: { remoteMediaView: this.view.element, videoEnabled: call.isVideoCall } });
      },
    });
  }

  static async signIn(url: string, userId: string, tone: number): Promise<LibraryUser> {
    const platform = createWrtcPlatform({ tone, ...PICTURE }, () => undefined);
    return new LibraryUser(await signIn({ server: url, appId: DEFAULT_APP_ID, userId }, platform), platform);
  }

  dial(userId: string, isVideoCall: boolean): DirectCall {
    const callOption = { remoteMediaView: this.view.element };
    this.call = this.client.dial({ userId, isVideoCall, callOption }, () => undefined);
    return this.call;
  }

  /** Returns what arrived since the last reading: the tone that carried most of it, and the pictures. */
  received() {
    const { heard, seen } = this.view.turn(nodeClock.now());
    const { tone, carried } = soundOf(heard);
    return { tone, carried, pictures: seen.frames };
  }

  close(): void {
    this.view.stop();
    this.client.deauthenticate();
  }
}
