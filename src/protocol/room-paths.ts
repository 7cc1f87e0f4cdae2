const ROOMS = '/v1/rooms';
const ROOM = `${ROOMS}/{room_id}`;
const PARTICIPANTS = `${ROOM}/participants`;
const PARTICIPANT = `${PARTICIPANTS}/{participant_id}`;
const ENDPOINTS = `${PARTICIPANT}/endpoints`;
const ENDPOINT = `${ENDPOINTS}/{endpoint_id}`;

/** The paths of the requests about rooms (§7). Parts in braces are parameters. */
export const ROOM_PATHS = {
  rooms: ROOMS,
  room: ROOM,
  participants: PARTICIPANTS,
  participant: PARTICIPANT,
  alive: `${PARTICIPANT}/alive`,
  audio: `${PARTICIPANT}/audio`,
  video: `${PARTICIPANT}/video`,
  endpoints: ENDPOINTS,
  endpoint: ENDPOINT,
  attach: `${ENDPOINT}/attach`,
  connected: `${ENDPOINT}/connected`,
  customItems: `${ROOM}/custom_items`,
  invitation: `${ROOM}/invitation`,
} as const;
