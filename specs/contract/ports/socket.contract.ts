import type { Socket, SocketEvents, SocketPort } from '../../../src/calls/platform/socket.ts';
import { check, checkEqual, eventually, type ContractSuite, type Pass } from './contract.ts';

export interface SocketSubject {
  readonly sockets: SocketPort;
  readonly pass: Pass;
  /** An address that accepts sockets, one without a server, and one whose upgrade is refused with an HTTP status. */
  readonly url: string;
  readonly deadUrl: string;
  readonly refusingUrl: string;
  /** The server side of the newest socket at `url`. */
  readonly server: {
    received(): readonly string[] | Promise<readonly string[]>;
    send(text: string): void | Promise<void>;
    close(code: number): void | Promise<void>;
  };
}

interface Watched {
  readonly socket: Socket;
  readonly emitted: string[];
  readonly codes: number[];
}

function open({ sockets }: SocketSubject, url: string): Watched {
  const emitted: string[] = [];
  const codes: number[] = [];
  const events: SocketEvents = {
    opened: () => emitted.push('opened'),
    received: (text) => emitted.push(text),
    closed: (code) => {
      emitted.push('closed');
      codes.push(code);
    },
  };
  return { socket: sockets.open(url, events), emitted, codes };
}

export const socketContract: ContractSuite<SocketSubject> = [
  {
    title: 'a socket opens once, and carries any text in both directions in order',
    run: async (subject) => {
      const { pass, server, url } = subject;
      const { socket, emitted } = open(subject, url);
      checkEqual(emitted, [], 'no event is emitted before open returns');
      await eventually(pass, () => emitted.includes('opened'), 'the socket opens');
      socket.send('one');
      socket.send('two 語 \u0000');
      let seen: readonly string[] = [];
      for (let tries = 0; seen.length < 2 && tries < 100; tries += 1) {
        await pass(20);
        seen = await server.received();
      }
      checkEqual(seen, ['one', 'two 語 \u0000'], 'the server got both in order');
      await server.send('three');
      await server.send('four');
      await eventually(pass, () => emitted.length >= 3, 'the text of the server arrives');
      checkEqual(emitted, ['opened', 'three', 'four'], 'the events are in order');
      socket.close(1000);
      await eventually(pass, () => emitted.includes('closed'), 'it closes');
    },
  },
  {
    title: 'a close by the server is reported once, with its code',
    run: async (subject) => {
      const { pass, server, url } = subject;
      const { socket, emitted, codes } = open(subject, url);
      await eventually(pass, () => emitted.includes('opened'), 'the socket opens');
      await server.close(1012);
      await eventually(pass, () => emitted.includes('closed'), 'the close arrives');
      socket.close();
      await pass(100);
      checkEqual(codes, [1012], 'closed is emitted once, with the code of the server');
    },
  },
  {
    title: 'closed is emitted once after close, and later text in either direction is ignored',
    run: async (subject) => {
      const { pass, server, url } = subject;
      const { socket, emitted } = open(subject, url);
      await eventually(pass, () => emitted.includes('opened'), 'the socket opens');
      socket.close(1000);
      checkEqual(emitted, ['opened'], 'closed does not come before close returns');
      await server.send('late');
      socket.close(1000);
      socket.send('later');
      await eventually(pass, () => emitted.includes('closed'), 'closed follows');
      await pass(100);
      checkEqual(emitted, ['opened', 'closed'], 'no other event is emitted');
    },
  },
  {
    title: 'a socket that is closed while it opens never opens',
    run: async (subject) => {
      const { pass, url } = subject;
      const { socket, emitted } = open(subject, url);
      socket.close(1000);
      await eventually(pass, () => emitted.includes('closed'), 'closed follows');
      await pass(100);
      checkEqual(emitted, ['closed'], 'it is closed once and was never open');
    },
  },
  ...(['deadUrl', 'refusingUrl'] as const).map((which) => ({
    title: `an unreachable address emits closed (${which})`,
    run: async (subject: SocketSubject) => {
      const { emitted } = open(subject, subject[which]);
      await eventually(subject.pass, () => emitted.includes('closed'), 'closed is emitted');
      await subject.pass(100);
      checkEqual(emitted, ['closed'], 'closed is emitted once, and opened never');
    },
  })),
  {
    title: 'an invalid address does not throw, and emits closed after open returns',
    run: async (subject) => {
      const { emitted } = open(subject, 'no address at all');
      check(emitted.length === 0, 'no event is emitted before open returns');
      await eventually(subject.pass, () => emitted.includes('closed'), 'closed is emitted');
      checkEqual(emitted, ['closed'], 'closed is emitted once');
    },
  },
];
