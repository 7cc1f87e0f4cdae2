/** The contract suites of the ports, run on the virtual implementations. */
import { describe, test } from 'vitest';
import type { ExchangeDoor } from '../../../sim/virtual/exchange-door.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { ScriptedExchange } from '../../unit/virtual/scripted-exchange.ts';
import { clockContract } from './clock.contract.ts';
import type { ContractSuite } from './contract.ts';
import { devicesContract } from './devices.contract.ts';
import { fetchContract } from './fetch.contract.ts';
import { framesContract } from './frames.contract.ts';
import { recorderContract } from './recorder.contract.ts';
import { rtcContract } from './rtc.contract.ts';
import { socketContract } from './socket.contract.ts';

const worldOf = <E extends ExchangeDoor>(exchange: E) => createWorld({ seed: 7, exchange: () => exchange });
const passing = (world: { advance(ms: number): Promise<void> }) => (ms: number) => world.advance(ms);

function suite<Subject>(name: string, cases: ContractSuite<Subject>, subject: () => Subject): void {
  describe(`contract of the ${name} port, virtual`, () => {
    for (const { title, run } of cases) test(title, () => run(subject()));
  });
}

suite('clock', clockContract, () => {
  const world = worldOf(new ScriptedExchange());
  return { clock: world.clock, pass: passing(world) };
});

suite('socket', socketContract, () => {
  const exchange = new ScriptedExchange();
  exchange.admit = ({ sessionToken }) => (sessionToken === 'bad' ? { status: 401 } : undefined);
  exchange.command = () => undefined;
  const world = worldOf(exchange);
  return {
    sockets: world.platform('a').sockets,
    pass: passing(world),
    url: 'wss://ws.example/v1/realtime?session_token=good',
    deadUrl: 'wss://ws.example/nowhere',
    refusingUrl: 'wss://ws.example/v1/realtime?session_token=bad',
    server: {
      received: () => exchange.latest.received,
      send: (text) => exchange.latest.send(text),
      close: (code) => exchange.latest.close(code),
    },
  };
});

suite('fetch', fetchContract, () => {
  const exchange = new ScriptedExchange();
  exchange.answer = ({ method, path, headers, body }) => {
    if (path === '/echo')
      return { status: 200, body: { method, body: JSON.stringify(body), header: headers['x-contract'] } };
    if (path === '/teapot') return { status: 418, body: 'teapot' };
    if (path === '/moved') return { status: 302 };
    if (path === '/silent') return new Promise(() => undefined);
    throw new Error('nobody listens');
  };
  const world = worldOf(exchange);
  return {
    fetch: world.platform('a').fetch,
    pass: passing(world),
    origin: 'https://api.example',
    deadOrigin: 'no origin',
  };
});

suite('devices', devicesContract, () => {
  const world = worldOf(new ScriptedExchange());
  return { devices: world.platform('a').devices, pass: passing(world) };
});

suite('frames', framesContract, () => {
  const world = worldOf(new ScriptedExchange());
  const { frames, devices, rtc } = world.platform('a');
  return {
    frames,
    element: (srcObject) => ({ srcObject }) as HTMLMediaElement,
    picture: () => rtc.createMediaStream([devices.blackPicture()]),
    pass: passing(world),
  };
});

suite('recorder', recorderContract, () => {
  const world = worldOf(new ScriptedExchange());
  const { devices, recorder } = world.platform('a');
  return {
    recorder,
    track: (kind) => (kind === 'audio' ? devices.silence() : devices.blackPicture()),
    pass: passing(world),
  };
});

suite('rtc', rtcContract, () => {
  const world = worldOf(new ScriptedExchange());
  const [a, b] = [world.platform('a'), world.platform('b')];
  return {
    rtc: [a.rtc, b.rtc] as const,
    track: (kind) => (kind === 'audio' ? a.devices.silence() : a.devices.blackPicture()),
    pass: passing(world),
  };
});
