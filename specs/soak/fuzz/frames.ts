/** Frames of a client on the channel of an exchange, while other users are in a call. */
import { catalogueEntry } from '../../../src/protocol/errors.ts';
import commands from '../../../fixtures/wire/commands.json' with { type: 'json' };
import roomCommands from '../../../fixtures/wire/room-commands.json' with { type: 'json' };
import { createExchangeFixture, type Device, PACKED } from '../../unit/exchange/exchange-fixture.ts';
import { faultOf, type FuzzTarget, type FuzzWorld, loggedFault } from './target.ts';

/** A budget that no world exhausts. */
const AMPLE = { burst: 1e9, perSecond: 1e9 };
/** The close codes for a client that breaks the protocol (RFC 6455 §7.4.1). */
const CLOSES = [1003, 1007, 1008, 1009];
const WORLD_INPUTS = 2_000;
/** Replaced in each input: a number that no other input has, and the id of the call of the client. */
const [REQUEST_ID, CALL_ID] = ['REQUEST-ID', 'CALL-ID'];

/** Forgets what a device has received, so that memory stays bounded. */
function forget({ events, roomEvents, replies, closes }: Device): void {
  for (const list of [events, roomEvents, replies, closes]) list.length = 0;
}

async function open(): Promise<FuzzWorld> {
  const fixture = createExchangeFixture({
    settings: { messages: AMPLE, accountMessages: AMPLE, sent: AMPLE, dials: AMPLE },
  });
  const [alice, bob, carol, dave] = [
    await fixture.device('alice'),
    await fixture.device('bob'),
    await fixture.device('carol'),
    await fixture.device('dave'),
  ];
  const call_id = alice.dial('bob');
  bob.accept(call_id);
  // Carol sends the inputs, and has a call too: an input with its id reaches deeper code.
  const own = carol.dial('dave');
  dave.accept(own);
  let sent = 0;
  const logged = () => loggedFault(fixture.log.splice(0));
  return {
    async feed(input) {
      for (const device of [alice, bob, carol, dave]) forget(device);
      try {
        sent += 1;
        carol.receive(input.toString().replaceAll(CALL_ID, own).replace(REQUEST_ID, `fuzz-${sent}`));
        // Commands that the product or the store decides about are answered in a later turn.
        await Promise.resolve();
      } catch (error) {
        return faultOf('the channel throws', error);
      }
      for (const { error } of carol.replies) {
        if (error && !catalogueEntry(error.code)) return `a reply has the unknown code ${error.code}`;
      }
      const close = carol.closes[0];
      if (close === undefined) return logged();
      if (!CLOSES.includes(close)) return `the channel closes with ${close}`;
      carol.disconnect();
      await carol.connect();
      return logged();
    },
    async close() {
      await new Promise((resolve) => setImmediate(resolve));
      const heard = bob.events.length;
      if (alice.code('audio', { call_id, is_enabled: false }) !== 0) return 'the call of others has ended';
      if (bob.events.length !== heard + 1) return 'a message of the call of others is lost';
      if (Object.hasOwn(Object.prototype, 'polluted')) return 'the prototype of objects has changed';
      const fault = logged();
      fixture.exchange.close();
      return fault;
    },
  };
}

const seeds = [...commands, ...roomCommands].map((frame) => {
  const { payload } = frame;
  const about = 'call_id' in payload ? { call_id: CALL_ID } : {};
  const sdp = 'sdp' in payload ? { sdp: PACKED } : {};
  return Buffer.from(JSON.stringify({ ...frame, request_id: REQUEST_ID, payload: { ...payload, ...sdp, ...about } }));
});

export const FRAMES: FuzzTarget = { name: 'frames', share: 0.62, seeds, open, worldInputs: WORLD_INPUTS };
