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
