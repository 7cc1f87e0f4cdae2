/** ICE as the modeled peer connections do it: its times, its candidates and its configuration. */

/** The times of ICE, in milliseconds, as measured between Chromium and wrtc peers on a path that was cut. */
export interface IceProfile {
  /** From the moment both sides have descriptions and a candidate until they are connected. */
  readonly connect: number;
  /**
   * From the loss of the path until a side is `disconnected`: the longest. wrtc takes 5 s to 7.5 s, depending on its
   * pings.
   */
  readonly disconnected: number;
  /** From the silent close of the other side until this side is `disconnected`. */
  readonly closeNoticed: number;
  /** From `disconnected` until `failed`. */
  readonly failedAfter: number;
  /** From the return of the path before `failed` until the sides are connected again. */
  readonly heal: number;
  /** From the return of the path until the sides are connected, for a restart that began while it was gone. */
  readonly restartHeal: number;
  /** The time until checks that never succeed are given up. */
  readonly checksGivenUp: number;
  /** From setting a description until its candidate is gathered. */
  readonly gather: number;
}

export const MEASURED_ICE: IceProfile = {
  connect: 20,
  disconnected: 7_500,
  closeNoticed: 7_600,
  failedAfter: 10_000,
  heal: 40,
  restartHeal: 60,
  checksGivenUp: 15_000,
  gather: 3,
};

/** A candidate of a modeled peer connection: direct, or over the relay. */
export class VirtualCandidate implements RTCIceCandidate {
  readonly address = '192.0.2.1';
  readonly component = 'rtp';
  readonly foundation = '842163049';
  readonly port: number;
  readonly priority = 2_122_260_223;
  readonly protocol = 'udp';
  readonly relatedAddress = null;
  readonly relatedPort = null;
  readonly sdpMLineIndex = 0;
  readonly sdpMid: string;
  readonly tcpType = null;
  readonly type: 'host' | 'relay';
  readonly usernameFragment: string;

  constructor(type: 'host' | 'relay', port: number, ufrag: string, mid: string) {
    this.type = type;
    this.port = port;
    this.usernameFragment = ufrag;
    this.sdpMid = mid;
  }

  get candidate(): string {
    const { foundation, priority, address, port, type, usernameFragment } = this;
    return `candidate:${foundation} 1 udp ${priority} ${address} ${port} typ ${type} generation 0 ufrag ${usernameFragment}`;
  }

  toJSON(): RTCIceCandidateInit {
    const { candidate, sdpMid, sdpMLineIndex, usernameFragment } = this;
    return { candidate, sdpMid, sdpMLineIndex, usernameFragment };
  }
}

/** Refuses an invalid configuration as browsers do (W3C WebRTC §4.4.1.6). */
export function assertConfiguration({ iceServers = [] }: RTCConfiguration): void {
  for (const { urls, username, credential } of iceServers) {
    for (const url of [urls].flat()) {
      if (!/^(stuns?|turns?):[^\s/]+$/.test(url)) throw new DOMException(`'${url}' is not a valid URL.`, 'SyntaxError');
      if (/^turns?:/.test(url) && (username === undefined || credential === undefined)) {
        throw new DOMException('Both username and credential are required', 'InvalidAccessError');
      }
    }
  }
}
