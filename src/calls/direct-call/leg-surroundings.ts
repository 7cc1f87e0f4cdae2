import type { CallUserPayload } from '../../protocol/entities.ts';
import type { CallError } from '../../protocol/errors.ts';
import type { StatsLog } from '../../protocol/client-logs.ts';
import type { SummaryBody } from '../../protocol/http.ts';
import type { CustomItems } from '../client/custom-items.ts';
import type { Logger } from '../logging/log.ts';
import type { MediaDevices } from '../media/media-devices.ts';
import type { CallVoice } from '../media/sounds.ts';
import type { Platform } from '../platform/platform.ts';
import type { Rest } from '../rest/rest-client.ts';
import type { CommandPort } from './call-commands.ts';
import type { CustomItemsChange } from './custom-item-requests.ts';
import type { DirectCallRecordOption } from './record-option.ts';

/** Tells how a recording ended: its file is with the user, or there is none. */
export interface RecordingNews {
  succeeded(callId: string, recordingId: string, option: DirectCallRecordOption, fileName: string): void;
  failed(callId: string, recordingId: string, error: CallError): void;
}

/** What one leg of a call needs from the client that holds it. */
export interface LegDeps {
  readonly platform: Pick<Platform, 'clock' | 'newId' | 'rtc' | 'devices' | 'frames' | 'recorder' | 'environment'>;
  /** Which devices to use. */
  readonly devices: MediaDevices;
  readonly commands: CommandPort;
  readonly rest: Rest;
  /** This call's voice among the sounds of all calls. */
  readonly voice: CallVoice;
  readonly log: Logger;
  readonly settings: {
    ringingTimeoutMs: number;
    connectionTimeoutMs: number;
    /** As the exchange said it: not within any bounds. */
    statsIntervalSeconds: number;
  };
  /** What became of recordings. */
  readonly recordings: RecordingNews;
  sendStatsLog(log: Omit<StatsLog, 'app_id'>): Promise<void>;
  sendSummary(callId: string, body: SummaryBody): Promise<void>;
  /** Signals are missing: fetch them and hand them to the leg. Resolves when all there is has been handed over. */
  fetchMissed(callId: string): Promise<void>;
  /** Takes note that the call is established, and can be held from now on. */
  established(): void;
  /** Tells whether a call other than this one is under way and not held here. */
  otherCallIsActive(): boolean;
  endOtherCalls(): void;
  /** The leg is done with: nothing of it is left running. */
  released(): void;
}

/** What a leg tells the DirectCall on top of it. */
export interface LegNotifications {
  ringing(): void;
  established(): void;
  connected(): void;
  reconnecting(): void;
  reconnected(): void;
  ended(): void;
  remoteAudioChanged(): void;
  remoteVideoChanged(): void;
  customItemsChanged(how: CustomItemsChange['how'], keys: string[]): void;
  remoteRecordingChanged(): void;
  holdChanged(isLocalUser: boolean, onHold: boolean): void;
  dialReceived(): void;
  screenShareStopped(): void;
  localDeviceMissing(): void;
}

/** What is known of a leg when it begins. */
export interface LegFacts {
  readonly role: 'dc_caller' | 'dc_callee';
  readonly isVideoCall: boolean;
  readonly callId?: string;
  readonly caller: CallUserPayload;
  readonly callee: CallUserPayload;
  readonly customItems: CustomItems;
  /** The sequence number of the signal that made the leg; 0 for a call dialled here. */
  readonly lastSignal?: number;
  /** What the other side said it sends. */
  readonly remoteMedia?: { readonly audio: boolean; readonly video: boolean };
}
