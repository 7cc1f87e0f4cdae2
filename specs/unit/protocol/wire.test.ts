import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { relayCredential } from '../../../src/protocol/entities.ts';
import {
  commandGroup,
  directCallRole,
  END_RESULTS,
  endResult,
  pushTokenType,
  recordingType,
  timeoutReason,
} from '../../../src/protocol/enumerations.ts';
import {
  commandFrom,
  decodeServerFrame,
  eventFrom,
  FrameFault,
  readReply,
  replyFrom,
} from '../../../src/protocol/envelope.ts';
import { decodeCommand, readRoomReply, roomCommandFrom, roomEventFrom } from '../../../src/protocol/room-envelope.ts';
import { COMMANDS, type CommandType } from '../../../src/protocol/messages/commands.ts';
import { EVENTS } from '../../../src/protocol/messages/events.ts';
import { REPLIES } from '../../../src/protocol/messages/replies.ts';
import {
  ROOM_COMMANDS,
  ROOM_EVENTS,
  ROOM_REPLIES,
  type RoomCommandType,
} from '../../../src/protocol/messages/rooms.ts';
import { unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { webhookBody } from '../../../src/protocol/webhook.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const read = (name: string) => readFileSync(new URL(`../../../fixtures/wire/${name}`, import.meta.url), 'utf8');

/** The frames of a golden file, each exactly as it is sent: one in a line. */
const frames = (name: string) =>
  read(name)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => line.replace(/,$/, ''));

const commands = frames('commands.json');
const replies = frames('replies.json');
const events = frames('events.json');
const webhooks = frames('webhooks.json');
const roomCommands = frames('room-commands.json');
const roomReplies = frames('room-replies.json');
const roomEvents = frames('room-events.json');

const typesOf = (texts: string[]) => texts.map((text) => JSON.parse(text)).map(({ cmd, type }) => `${cmd}/${type}`);
const allOf = (groups: object) =>
  Object.entries(groups).flatMap(([group, types]) => Object.keys(types).map((type) => `${group}/${type}`));

describe('the golden wire files', () => {
  it('RT-12 have every command, every reply and every event', () => {
    expect(typesOf(commands).sort()).toEqual(allOf(COMMANDS).sort());
    expect([...new Set(typesOf(replies))].sort()).toEqual(
      allOf(COMMANDS)
        .map((type) => `${type}_ack`)
        .sort(),
    );
    expect(typesOf(events).sort()).toEqual(allOf(EVENTS).sort());
    expect(Object.keys(REPLIES).sort()).toEqual(
      Object.values(COMMANDS)
        .flatMap((types) => Object.keys(types))
        .sort(),
    );
  });

  it('RT-12 name every signalling type of the specification', () => {
    const listed =
      'dial dial_ack dial_rcv cancel accept accept_ack other_device_accepted decline decline_ack offer answer candidate ' +
      'remove_candidates audio video hold hold_ack custom_items_update custom_items_delete recording end timeout ' +
      'connection_lost unknown_end alive no_answer connected snapshot turn_changed';
    const held = new Set(
      [...typesOf(commands), ...typesOf(replies), ...typesOf(events)].map((type) => type.split('/')[1]),
    );
    expect(listed.split(' ').filter((type) => !held.has(type))).toEqual([]);
  });

  it.each(commands.map((text) => [typesOf([text])[0], text]))(
    'read and written again, command %s is the same bytes',
    (_, text) => {
      expect(JSON.stringify(decodeCommand(text))).toBe(text);
    },
  );

  it.each(replies.map((text) => [typesOf([text])[0], text]))(
    'read and written again, reply %s is the same bytes',
    (_, text) => {
      const { kind, frame } = decodeServerFrame(text);
      if (kind !== 'reply') throw new Error('read as an event');
      expect(JSON.stringify(frame)).toBe(text);
      if (frame.error) return;
      const type = Object.keys(REPLIES).find((known): known is CommandType => `${known}_ack` === frame.type);
      if (!type) throw new Error(`a reply to nothing: ${frame.type}`);
      expect(JSON.stringify(readReply(type, frame))).toBe(JSON.stringify(frame.payload));
    },
  );

  it.each(events.map((text) => [typesOf([text])[0], text]))(
    'read and written again, event %s is the same bytes',
    (_, text) => {
      const { kind, frame } = decodeServerFrame(text);
      expect([kind, JSON.stringify(frame)]).toEqual(['event', text]);
    },
  );

  it('have every command, reply and event of rooms', () => {
    const ofRooms = (table: object) => Object.keys(table).map((type) => `COMM/${type}`);
    expect(typesOf(roomCommands)).toEqual(ofRooms(ROOM_COMMANDS));
    expect(typesOf(roomReplies)).toEqual(ofRooms(ROOM_COMMANDS).map((type) => `${type}_ack`));
    expect(Object.keys(ROOM_REPLIES)).toEqual(Object.keys(ROOM_COMMANDS));
    expect(typesOf(roomEvents)).toEqual(ofRooms(ROOM_EVENTS));
  });

  it.each(roomCommands.map((text) => [typesOf([text])[0], text]))(
    'read and written again, room command %s is the same bytes',
    (_, text) => {
      expect(JSON.stringify(decodeCommand(text))).toBe(text);
      expect(JSON.stringify(roomCommandFrom(JSON.parse(text)))).toBe(text);
    },
  );

  it.each(roomReplies.map((text) => [typesOf([text])[0], text]))(
    'read and written again, room reply %s is the same bytes',
    (_, text) => {
      const frame = replyFrom(JSON.parse(text));
      expect(JSON.stringify(frame)).toBe(text);
      const type = frame.type.replace(/_ack$/, '') as RoomCommandType;
      expect(JSON.stringify(readRoomReply(type, frame))).toBe(JSON.stringify(frame.payload));
    },
  );

  it.each(roomEvents.map((text) => [typesOf([text])[0], text]))(
    'RM-35 read and written again, room event %s is the same bytes, and each part of its envelope is required',
    (_, text) => {
      const value = JSON.parse(text);
      expect(JSON.stringify(roomEventFrom(value))).toBe(text);
      for (const part of ['type', 'version', 'message_id', 'delivery_info', 'sequence_number', 'payload']) {
        expect(() => roomEventFrom({ ...value, [part]: undefined }), part).toThrow(FrameFault);
      }
    },
  );

  it.each(webhooks.map((text) => [JSON.parse(text).event, text]))(
    'read and written again, the webhook body of %s is the same bytes',
    (_, text) => {
      expect(JSON.stringify(v.parse(webhookBody, JSON.parse(text)))).toBe(text);
    },
  );

  it('PAY-01 have a webhook body for each event, and the body of dial has all fields of the incoming dial', () => {
    const bodies = webhooks.map((text) => JSON.parse(text));
    expect(bodies.map(({ event }) => event)).toEqual(webhookBody.options.map(({ entries }) => entries.event.literal));
    const [dial] = bodies;
    const asEvent = { ...golden(events, 'dial'), payload: dial.payload };
    expect(eventFrom(asEvent)).toEqual(asEvent);
    for (const field of Object.keys(dial.payload)) {
      const payload = { ...dial.payload, [field]: undefined };
      expect(v.is(webhookBody, { ...dial, payload })).toBe(false);
    }
  });

  it('PAY-05 PAY-06 have real session descriptions, packed as gzip and base64', () => {
    const sdpOf = (type: string) =>
      JSON.parse(commands.find((text) => text.includes(`"type":"${type}"`)) ?? '').payload.sdp;
    expect(Buffer.from(sdpOf('offer'), 'base64').subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(unpackSdp(sdpOf('offer'))).toBe(read('offer.sdp'));
    expect(unpackSdp(sdpOf('answer'))).toBe(read('answer.sdp'));
  });
});

const golden = (texts: string[], type: string): any => {
  const text = texts.find((one) => JSON.parse(one).type === type);
  if (text === undefined) throw new Error(`no golden ${type}`);
  return JSON.parse(text);
};

/** The paths of all fields of a payload. A field in [] may be missing. */
const fields = (value: unknown, at = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => [`${at}${key}`, ...fields(inner, `${at}${key}.`)])
    : [];

describe('the required fields of messages', () => {
  const COMMAND_FIELDS: Record<string, [title: string, required: string[], optional: string[]]> = {
    dial: [
      'PAY-01',
      ['callee_id', 'is_video_call', 'constraints', 'constraints.audio', 'constraints.video', 'capabilities'],
      ['custom_items', 'sb_chat', 'webhook', 'webhook.enabled_events', 'webhook.headers'],
    ],
    accept: ['PAY-03', ['call_id', 'constraints', 'constraints.audio', 'constraints.video', 'capabilities'], []],
    offer: ['PAY-05', ['call_id', 'sdp'], ['peer_connection_id']],
    answer: ['PAY-05', ['call_id', 'sdp'], ['peer_connection_id']],
    candidate: [
      'PAY-07',
      ['call_id', 'candidate', 'candidate.sdp', 'candidate.sdp_mline_index', 'candidate.sdp_mid'],
      ['peer_connection_id'],
    ],
    audio: ['PAY-08', ['call_id', 'is_enabled'], []],
    video: ['PAY-08', ['call_id', 'is_enabled'], []],
    hold: ['PAY-09', ['call_id', 'is_on_hold', 'was_relayed'], []],
    recording: ['PAY-10', ['call_id', 'recording_id', 'recording_type', 'recording_status'], []],
    timeout: ['PAY-11', ['call_id', 'reason'], []],
    connected: [
      'PAY-12',
      [
        'call_id',
        'connection',
        'connection.connection_type',
        'connection.relay_protocol',
        'connection.protocol',
        'reconnect',
      ],
      [],
    ],
    dial_rcv: ['PAY-13', ['call_id', 'callee_delivery_info', 'received_type'], []],
  };
  const EVENT_FIELDS: Record<string, [title: string, required: string[], optional: string[]]> = {
    dial: [
      'PAY-02',
      [
        'is_video_call',
        'call_id',
        'caller',
        'callee',
        'turn_credential',
        'constraints',
        'custom_items',
        'short_lived_token',
        'capabilities',
      ],
      [],
    ],
    accept: ['PAY-04', ['call_id', 'turn_credential', 'audio', 'video', 'capabilities'], []],
    hold: ['PAY-14', ['holded_by', 'is_peer_on_hold', 'is_relayed'], []],
    custom_items_update: ['PAY-15', ['custom_items', 'updated'], []],
    custom_items_delete: ['PAY-15', ['custom_items', 'deleted'], []],
    turn_changed: ['PAY-16', ['turn_credential', 'event_id'], []],
    log_level: ['PAY-18', ['level'], []],
    other_device_accepted: ['PAY-18', ['call_id'], []],
    remove_candidates: ['PAY-18', ['call_id', 'candidates'], ['peer_connection_id']],
  };

  const without = (frame: any, path: string) => {
    const copy = structuredClone(frame);
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let at = copy.payload;
    for (const part of parts) at = at[part];
    delete at[last];
    return copy;
  };

  const cases = [
    ...Object.entries(COMMAND_FIELDS).map(
      ([type, [id, ...rest]]) => [`${id} command ${type}`, golden(commands, type), commandFrom, ...rest] as const,
    ),
    ...Object.entries(EVENT_FIELDS).map(
      ([type, [id, ...rest]]) => [`${id} event ${type}`, golden(events, type), eventFrom, ...rest] as const,
    ),
  ];
  it.each(cases)('%s', (_, frame, from, required, optional) => {
    expect(fields(frame.payload)).toEqual(expect.arrayContaining([...required, ...optional]));
    for (const path of required) {
      expect(() => from(without(frame, path))).toThrow(
        expect.objectContaining({ name: 'FrameFault', where: `payload.${path}` }),
      );
    }
    for (const path of optional) expect(() => from(without(frame, path))).not.toThrow();
  });

  const ROOM_EVENT_FIELDS: Record<string, [title: string, at: string, required: string]> = {
    participant_entered: [
      'ENT-04',
      'participant',
      'participant_id entered_at updated_at exited_at duration state user is_local_participant client_id is_audio_on is_video_on',
    ],
    invitation_sent: ['ENT-08', '', 'room inviter invitee short_lived_token'],
    invitation_received: [
      'ENT-01',
      'room',
      'room_id state room_type custom_items created_at created_by current_participants sequence_number',
    ],
    custom_items_update: ['RM-20', '', 'room_id custom_items updated affected_at'],
    custom_items_delete: ['RM-21', '', 'room_id custom_items deleted affected_at'],
    participant_disconnected: ['RM-17', '', 'room_id participant reason'],
    participant_audio_status_changed: ['RM-18', '', 'room_id participant on'],
    participant_video_status_changed: ['RM-19', '', 'room_id participant on'],
  };
  it.each(
    Object.entries(ROOM_EVENT_FIELDS).map(([type, [id, ...rest]]) => [`${id} room event ${type}`, type, ...rest]),
  )('%s', (_, type = '', at = '', names = '') => {
    const frame = golden(roomEvents, type);
    for (const name of names.split(' ')) {
      const path = [at, name].filter(Boolean).join('.');
      expect(() => roomEventFrom(without(frame, path))).toThrow(
        expect.objectContaining({ name: 'FrameFault', where: `payload.${path}` }),
      );
    }
  });

  it('ENT-10 the custom items of a room have their items, the changed keys and a time', () => {
    const reply = golden(roomReplies, 'room_custom_items_update_ack');
    const readItems = (frame: unknown) => readRoomReply('room_custom_items_update', replyFrom(frame));
    expect(Object.keys(readItems(reply))).toEqual(['custom_items', 'updated', 'deleted', 'affected_at']);
    for (const field of ['custom_items', 'affected_at']) expect(() => readItems(without(reply, field))).toThrow();
  });

  it('PAY-17 the alive reply has alive_at', () => {
    const reply = golden(replies, 'alive_ack');
    expect(readReply('alive', replyFrom(reply))).toMatchObject({ alive_at: expect.any(Number) });
    expect(() => readReply('alive', replyFrom(without(reply, 'alive_at')))).toThrow(
      expect.objectContaining({ code: ErrorCode.ERR_WRONG_RESPONSE }),
    );
  });

  it('ENT-17 an unended call has role, clients, sequence and snapshot', () => {
    const [call] = golden(replies, 'unended_calls_ack').payload.calls;
    expect(fields(call)).toEqual(
      expect.arrayContaining(
        'call_id call_type user_role caller_client_id callee_client_id signal_seq signal_snapshot signal_snapshot.is_audio_enabled signal_snapshot.is_video_enabled signal_snapshot.custom_items signal_snapshot.recording'.split(
          ' ',
        ),
      ),
    );
    for (const field of Object.keys(call)) {
      const broken = structuredClone(golden(replies, 'unended_calls_ack'));
      delete broken.payload.calls[0][field];
      expect(() => readReply('unended_calls', replyFrom(broken))).toThrow(
        expect.objectContaining({ code: ErrorCode.ERR_WRONG_RESPONSE }),
      );
    }
  });

  it('RT-09 RT-10 RT-11 the groups have their commands', () => {
    expect(Object.keys(COMMANDS.CALL)).toEqual(
      expect.arrayContaining([
        'dial',
        'accept',
        'cancel',
        'decline',
        'end',
        'timeout',
        'connection_lost',
        'no_answer',
        'hold',
      ]),
    );
    expect(Object.keys(COMMANDS.SGNL)).toEqual(
      expect.arrayContaining(['offer', 'answer', 'candidate', 'alive', 'connected']),
    );
    expect(Object.keys(COMMANDS.COMM)).toEqual(['audio', 'video', 'recording']);
  });
});

describe('closed lists', () => {
  it('ENT-20 ENT-21 ENT-24 have what the specification lists', () => {
    expect(pushTokenType.options).toEqual(['apns_voip', 'fcm_voip']);
    expect(directCallRole.options).toEqual(['dc_caller', 'dc_callee']);
    expect(commandGroup.options).toEqual(['CALL', 'SGNL', 'COMM', 'UTIL']);
    expect(timeoutReason.options).toEqual(['accepting_timeout', 'offering_timeout', 'answering_timeout']);
    expect(recordingType.options).toHaveLength(5);
  });

  it('ENT-26 ENT-27 B51 read the eleven end results, and any other as unknown', () => {
    expect(END_RESULTS).toEqual(
      'no_answer canceled declined other_device_accepted completed connection_lost timed_out dial_failed accept_failed not_connected unknown'.split(
        ' ',
      ),
    );
    for (const known of END_RESULTS) expect(v.parse(endResult, known)).toBe(known);
    for (const strange of ['hacked', '', 'Completed', 'toString', '__proto__'])
      expect(v.parse(endResult, strange)).toBe('unknown');
    expect(
      eventFrom({ ...golden(events, 'end'), payload: { ...golden(events, 'end').payload, end_result: 'hacked' } }),
    ).toMatchObject({
      payload: { end_result: 'unknown' },
    });
  });

  it('ENT-18 B53 a relay credential has username, password, urls and a policy that is all unless it says relay', () => {
    const credential = { username: 'u', password: 'p', turn_urls: ['turn:x'], transport_policy: 'relay' };
    expect(v.parse(relayCredential, credential)).toEqual(credential);
    for (const transport_policy of ['none', '', null, undefined, 'all']) {
      expect(v.parse(relayCredential, { ...credential, transport_policy }).transport_policy).toBe('all');
    }
    const turn_urls = ['turn:x', 'x'.repeat(513), 7, null, {}, ['turn:y']];
    expect(v.parse(relayCredential, { ...credential, turn_urls }).turn_urls).toEqual(['turn:x']);
    expect(v.is(relayCredential, { ...credential, turn_urls: 'turn:x' })).toBe(false);
    expect(v.is(relayCredential, { ...credential, username: undefined })).toBe(false);
  });
});

describe('frames that break the rules', () => {
  const fault = (act: () => unknown): FrameFault => {
    try {
      act();
    } catch (error) {
      if (error instanceof FrameFault) return error;
      throw error;
    }
    throw new Error('nothing was wrong with it');
  };
  const command = golden(commands, 'candidate');

  it.each([
    ['', 'frame', 'frame: not JSON'],
    ['null', 'frame', undefined],
    ['[]', 'frame', 'frame: not an object'],
    ['{}', 'version', undefined],
    [`"${'é'.repeat(32_800)}"`, 'frame', 'frame: too large'],
  ])('B37 D25 %j is refused, with its place', (text, where, message) => {
    const found = fault(() => decodeCommand(text));
    expect(found.where).toBe(where);
    if (message) expect(found.message).toBe(message);
    expect(() => decodeServerFrame(text)).toThrow(FrameFault);
  });

  it('B38 B49 each broken part of the envelope is named, with its request', () => {
    const broken = (change: object) => {
      const { where, requestId } = fault(() => commandFrom({ ...command, ...change }));
      return [where, requestId];
    };
    expect(broken({ version: '1' })).toEqual(['version', command.request_id]);
    expect(broken({ version: 999 })).toEqual(['version', command.request_id]);
    expect(broken({ request_id: '' })).toEqual(['request_id', undefined]);
    expect(broken({ request_id: 'x'.repeat(129) })).toEqual(['request_id', undefined]);
    expect(broken({ cmd: 'ROOM' })).toEqual(['cmd', command.request_id]);
    expect(broken({ type: 7 })).toEqual(['type', command.request_id]);
    for (const type of ['', 'explode', 'toString', '__proto__', 'constructor']) {
      expect(broken({ type })).toEqual(['type', command.request_id]);
    }
    const event = golden(events, 'end');
    for (const sequence_number of [undefined, -1, 1.5, 2 ** 53 + 1, '1', null]) {
      expect(fault(() => eventFrom({ ...event, sequence_number })).where).toBe('sequence_number');
    }
    expect(fault(() => eventFrom({ ...event, message_id: '' })).where).toBe('message_id');
  });

  it('B44 B48 names the first invalid part of a payload, at any depth', () => {
    const with_ = (candidate: object) =>
      fault(() =>
        commandFrom({
          ...command,
          payload: { ...command.payload, candidate: { ...command.payload.candidate, ...candidate } },
        }),
      );
    expect(with_({ sdp_mid: 7 }).where).toBe('payload.candidate.sdp_mid');
    for (const sdp_mline_index of [-1, 1e9, '0', 1.5]) {
      expect(with_({ sdp_mline_index }).where).toBe('payload.candidate.sdp_mline_index');
    }
    expect(with_({ sdp: 'x'.repeat(2049) }).where).toBe('payload.candidate.sdp');
    expect(with_({ sdp: 1, sdp_mid: 2 }).message).toMatch(/^payload\.candidate\.sdp: [^;]*$/);
  });

  it('S34 B34 no key of a message changes a prototype', () => {
    const frame = commandFrom(
      JSON.parse(
        '{"version":1,"request_id":"r","cmd":"CALL","type":"dial","payload":{"callee_id":"b","is_video_call":false,"custom_items":{"__proto__":"x","a":"b"},"constraints":{"audio":true,"video":true,"__proto__":{"polluted":1}},"capabilities":[],"__proto__":{"polluted":1}}}',
      ),
    );
    expect(Object.hasOwn(frame.payload, '__proto__')).toBe(false);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(JSON.stringify(frame)).not.toContain('polluted');
  });

  it('B50 a negative length is read as zero', () => {
    const event = golden(events, 'end');
    expect(eventFrom({ ...event, payload: { ...event.payload, duration: -5 } })).toMatchObject({
      payload: { duration: 0 },
    });
  });

  it('a reply to another command fails with 1800205, and an error has its code and text', () => {
    const reply = replyFrom(golden(replies, 'end_ack'));
    expect(() => readReply('cancel', reply)).toThrow(expect.objectContaining({ code: ErrorCode.ERR_WRONG_RESPONSE }));
    const refused = (error: object) => () => readReply('end', replyFrom({ ...golden(replies, 'end_ack'), error }));
    expect(refused({ code: ErrorCode.ERR_INVALID_CALL_STATUS, message: '' })).toThrow(
      expect.objectContaining({
        code: ErrorCode.ERR_INVALID_CALL_STATUS,
        name: 'ERR_INVALID_CALL_STATUS',
        message: '',
      }),
    );
    expect(refused({ code: 7, message: 'why' })).toThrow(expect.objectContaining({ code: 7, message: 'why' }));
  });
});
