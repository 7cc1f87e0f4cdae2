/**
 * The error catalogue (§8): every code with its public name and its default message.
 *
 * The name of the wrong parameter replaces `{param}` in a message. The exchange raises server codes. The specification
 * leaves some of their messages empty, and so does the catalogue.
 */

interface CatalogueEntry {
  readonly name: string;
  readonly message: string;
}

export const CLIENT_ERRORS = {
  1800100: { name: 'DIAL_CANCELED', message: 'Call canceled before receiving a callback.' },
  1800101: { name: 'MY_USER_ID_NOT_ALLOWED', message: "The caller can't dial their own user ID." },
  1800200: { name: 'ERR_REQUEST_FAILED', message: 'The http request failed.' },
  1800201: { name: 'ERR_WEBSOCKET_CONNECTION_NOT_OPENED', message: 'Websocket connection not established.' },
  1800202: { name: 'ERR_WEBSOCKET_CONNECTION_FAILED', message: 'Websocket connection failed.' },
  1800203: {
    name: 'ERR_NO_RESPONSE_DUE_TO_TIMEOUT',
    message: 'The request failed to receive a response due to timeout.',
  },
  1800204: {
    name: 'ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST',
    message: 'The request failed because the websocket connection is lost.',
  },
  1800205: { name: 'ERR_WRONG_RESPONSE', message: 'The response contains an unexpected object type of data.' },
  1800206: { name: 'ERR_QUERY_IN_PROGRESS', message: 'The previous query is still in progress.' },
  1800207: { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error has occurred.' },
  1800208: { name: 'ERR_MALFORMED_DATA', message: 'The data format of the response is invalid.' },
  1800300: { name: 'INVALID_PARAMETER_VALUE', message: '{param} is an invalid or empty value.' },
  1800301: { name: 'INVALID_PARAMETER_TYPE', message: 'The data type of {param} is invalid.' },
  1800302: { name: 'INSTANCE_NOT_INITIALIZED', message: 'Call instance not initialized.' },
  1800303: { name: 'USER_NOT_AUTHENTICATED', message: 'The user is not authenticated.' },
  1800400: { name: 'CAMERA_ALREADY_SWITCHING', message: 'Camera is already switching.' },
  1800401: { name: 'ERR_CAMERA_SWITCH', message: 'A camera switch error has occurred.' },
  1800402: { name: 'ERR_CHANGING_AUDIO_DEVICE', message: 'An error occurred while changing audio device.' },
  1800600: {
    name: 'ERR_CAPTURE_NOT_ALLOWED_ON_AUDIO_CALL',
    message: "Capturing a video view isn't allowed while on an audio call.",
  },
  1800601: { name: 'ERR_VIDEO_VIEW_NOT_READY', message: "A video view isn't ready to be captured." },
  1800602: {
    name: 'ERR_VIDEO_CALL_NOT_CONNECTED_YET',
    message: "A video call isn't connected yet therefore can't capture a video view.",
  },
  1800603: {
    name: 'FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM',
    message: 'An error occurred while getting an image from the video stream.',
  },
  1800610: {
    name: 'ERR_CALL_NOT_CONNECTED_YET',
    message: "A call isn't connected yet therefore can't start media recording.",
  },
  1800611: {
    name: 'ERR_WRONG_RECORDING_TYPE_FOR_AUDIO_CALL',
    message: 'A wrong recording type is selected in an audio call.',
  },
  1800612: {
    name: 'ERR_RECORDING_ALREADY_IN_PROGRESS',
    message: 'An ongoing recording session is already in progress.',
  },
  1800613: { name: 'ERR_FAILED_TO_OPEN_FILE', message: "Couldn't open a recording file." },
  1800614: { name: 'ERR_FAILED_TO_START_RECORDING', message: "Couldn't start a recording session." },
  1800615: { name: 'ERR_FAILED_TO_STOP_RECORDING', message: "Couldn't stop a recording session." },
  1800616: {
    name: 'ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING',
    message: "The browser doesn't support media recording.",
  },
  1800617: { name: 'ERR_INVALID_RECORDING_TYPE', message: 'Invalid recording type is selected.' },
  1800618: {
    name: 'ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING',
    message: "The operating system version doesn't support media recording.",
  },
  1800620: {
    name: 'ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL',
    message: 'Screen share is restricted from audio calls.',
  },
  1800621: {
    name: 'ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED',
    message: 'Screen share was requested before the call is connected.',
  },
  1800622: { name: 'ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS', message: 'Screen share is already in progress.' },
  1800623: { name: 'ERR_NO_SCREEN_SHARE_EXISTS', message: '' },
  1800624: { name: 'ERR_NOT_SUPPORTED_OS_VERSION_FOR_SCREEN_SHARE', message: '' },
  1800625: {
    name: 'ERR_NOT_SUPPORTED_BROWSER_FOR_SCREEN_SHARE',
    message: "The browser doesn't support screen share.",
  },
  1800626: {
    name: 'ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON',
    message: 'Screen share failed due to unknown reason.',
  },
  1800627: {
    name: 'ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE',
    message: "The application state isn't supported for screen share.",
  },
  1800628: {
    name: 'ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE',
    message: 'An access permission denied for screen share.',
  },
  1800629: { name: 'ERR_SELECTED_CONTENT_NOT_EXIST', message: "The selected content doesn't exist." },
  1800630: { name: 'ERR_SELECTED_CONTENT_INACCESSIBLE', message: 'The selected content is inaccessible.' },
  1800631: {
    name: 'ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD',
    message: "Screen sharing or other media actions aren't allowed while a call is on hold.",
  },
  1800700: {
    name: 'ERR_PARTICIPANT_ALREADY_IN_ROOM',
    message: "The participant is trying to enter the same room they're already in.",
  },
  1800701: {
    name: 'ERR_ENTERING_ROOM_STILL_IN_PROGRESS',
    message: 'The participant is trying to enter the room while the previous request is still in progress.',
  },
  1800702: { name: 'ERR_PARTICIPANT_NOT_IN_ROOM', message: 'The participant is not in the room.' },
  1800703: {
    name: 'ERR_EXITING_ROOM_STILL_IN_PROGRESS',
    message: 'The participant is trying to exit the same room.',
  },
  1800704: {
    name: 'ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_SEND_STREAM',
    message: "Couldn't establish a connection to send media streaming.",
  },
  1800705: {
    name: 'ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_RECEIVE_STREAM',
    message: "Couldn't establish a connection to receive media streaming.",
  },
  1800706: {
    name: 'ERR_LOCAL_PARTICIPANT_LOST_CONNECTION',
    message: 'The local participant exited the room due to lost connection.',
  },
  1800707: {
    name: 'ERR_LOCAL_PARTICIPANT_KICKED_OUT',
    message: 'An existing participant has been disconnected because a new participant entered with the same user ID.',
  },
  1800801: { name: 'ERR_CALL_ALREADY_ON_HOLD', message: 'The call is already on hold.' },
  1800802: {
    name: 'ERR_ACTIVE_CALL_IN_PROGRESS',
    message: "The active call is in progress, so it cannot be removed from hold because it isn't on hold.",
  },
  1800803: {
    name: 'ERR_ANOTHER_CALL_IN_PROGRESS',
    message: "Another call is in progress, so a hold can't be removed from another call.",
  },
} as const satisfies Record<number, CatalogueEntry>;

export const SERVER_ERRORS = {
  1400999: { name: 'ERR_SERVER_INTERNAL_ERROR', message: '' },
  1400101: { name: 'ERR_INVALID_CALL_STATUS', message: '' },
  1400102: { name: 'ERR_CALL_DOES_NOT_EXIST', message: '' },
  1400103: { name: 'ERR_CALLEE_DOES_NOT_EXIST', message: '' },
  1400104: { name: 'ERR_DIAL_MYSELF', message: '' },
  1400105: { name: 'ERR_NO_PERMISSION', message: '' },
  1400106: { name: 'ERR_CALLEE_NEVER_AUTHENTICATE', message: '' },
  1400120: { name: 'ERR_ROOM_MAX_PARTICIPANTS', message: 'The room has reached max participants.' },
  1400121: { name: 'ERR_INVALID_ROOM_PARTICIPANT', message: 'The room participant argument is not valid.' },
  1400122: { name: 'ERR_CLIENT_ALREADY_ENTERED', message: 'The given client is already entered.' },
  1400123: { name: 'ERR_SEND_ENDPOINT_CANNOT_ATTACH', message: 'The send endpoint failed to attach.' },
  1400124: {
    name: 'ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT',
    message: 'The given participant already has send endpoint.',
  },
  1400126: { name: 'ERR_ROOM_DELETED', message: '' },
} as const satisfies Record<number, CatalogueEntry>;

/** The number of an error that the library raises (§8). */
export type ClientErrorCode = keyof typeof CLIENT_ERRORS;
/** The number of an error that the exchange raises (§8). */
export type ServerErrorCode = keyof typeof SERVER_ERRORS;

/** The name of an error (§8). */
export type ErrorName =
  | (typeof CLIENT_ERRORS)[ClientErrorCode]['name']
  | (typeof SERVER_ERRORS)[ServerErrorCode]['name'];

const CATALOGUE: ReadonlyMap<number, CatalogueEntry> = new Map(
  [...Object.entries(CLIENT_ERRORS), ...Object.entries(SERVER_ERRORS)].map(([code, entry]) => [Number(code), entry]),
);

/** The number of each error by its name (§8). */
export const ErrorCode = Object.freeze(
  Object.fromEntries([...CATALOGUE].map(([code, { name }]) => [name, code])),
) as Readonly<Record<ErrorName, number>>;

/** Returns the catalogue entry of a code. Undefined for an unknown code. */
export function catalogueEntry(code: number): CatalogueEntry | undefined {
  return CATALOGUE.get(code);
}

interface CallErrorOptions {
  /** The name of the wrong parameter, which replaces `{param}` in the default message. */
  readonly param?: string;
  /** Replaces the default message, for example with the message of a server. */
  readonly message?: string;
  readonly cause?: unknown;
}

/** The failure of a call or a request, as hosts get it (§8). `name` is the name of the error, `message` its text. */
export class CallError extends Error {
  /** The number of the error (§8). */
  readonly code: number;
  /** The name of the wrong parameter. Undefined for other errors. */
  readonly param: string | undefined;

  /** @internal */
  constructor(code: number, options: CallErrorOptions = {}) {
    const template = options.message ?? catalogueEntry(code)?.message ?? '';
    super(
      template.replace('{param}', options.param ?? 'A parameter'),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = catalogueEntry(code)?.name ?? 'CallError';
    this.code = code;
    this.param = options.param;
  }
}

/** Returns the error `INVALID_PARAMETER_VALUE` for a parameter (§5). */
export const invalidValue = (param: string) => new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param });

/** Returns the error `INVALID_PARAMETER_TYPE` for a parameter (§5). */
export const invalidType = (param: string) => new CallError(ErrorCode.INVALID_PARAMETER_TYPE, { param });
