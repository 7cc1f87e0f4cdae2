import type { Logger } from '../logging/log.ts';
import { checkMediaConstraints, MediaAccess, type MediaConstraints } from '../media/media-access.ts';
import type { MediaDevice } from '../media/media-device.ts';
import type { MediaDevices } from '../media/media-devices.ts';
import type { Platform } from '../platform/platform.ts';

/** The functions of a host about microphones, cameras and speakers. */
export interface DeviceFunctions {
  /**
   * Opens the microphone, the camera or both outside a call, for a preview (§5).
   *
   * The browser asks the user for permission when it has to. Returns undefined in a browser without WebRTC.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `constraints`, which
   *   must ask for audio, video or both.
   */
  useMedia(constraints: MediaConstraints): MediaAccess | undefined;
  /**
   * Reads the list of devices again, for browsers that do not report a change (§5). Asks the user for no permission.
   * The listeners get what changed.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `constraints`, which
   *   must ask for audio, video or both.
   */
  updateMediaDevices(constraints: MediaConstraints): void;
  /** Returns the microphone that calls use, or will use. Null when there is no microphone. */
  getCurrentAudioInputDevice(): InputDeviceInfo;
  /** Returns the camera that calls use, or will use. Null when there is no camera. */
  getCurrentVideoInputDevice(): InputDeviceInfo;
  /** Returns the speaker that calls use, or will use. Null when there is no speaker. */
  getCurrentAudioOutputDevice(): MediaDeviceInfo;
  /** Returns the microphones of this machine. Their labels are empty before the user has allowed one. */
  getAvailableAudioInputDevices(): InputDeviceInfo[];
  /** Returns the cameras of this machine. Their labels are empty before the user has allowed one. */
  getAvailableVideoInputDevices(): InputDeviceInfo[];
  /** Returns the speakers of this machine. The list is empty in a browser that does not list speakers. */
  getAvailableAudioOutputDevices(): MediaDeviceInfo[];
  /**
   * Sets the microphone of the live calls and of later calls (§5).
   *
   * When the device is gone, the first available microphone takes its place. Resolves when every live call sends the
   * new microphone. A host may leave the promise unhandled.
   *
   * @returns a promise that rejects with ERR_CHANGING_AUDIO_DEVICE (1800402) when a call cannot use the microphone. The
   *   former microphone stays in use then.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `device`, which must be
   *   a microphone.
   */
  selectAudioInputDevice(device: InputDeviceInfo): Promise<void>;
  /**
   * Sets the camera of the live calls and of later calls (§5). Otherwise as {@link selectAudioInputDevice}.
   *
   * @returns a promise that rejects with ERR_CAMERA_SWITCH (1800401) when a call cannot use the camera.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `device`, which must be
   *   a camera.
   */
  selectVideoInputDevice(device: InputDeviceInfo): Promise<void>;
  /**
   * Sets the speaker that plays the remote user, in browsers that support it (§5). Otherwise as {@link
   * selectAudioInputDevice}.
   *
   * @throws CallError ERR_CHANGING_AUDIO_DEVICE (1800402) when the browser cannot use the speaker;
   *   INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `device`, which must be a speaker.
   */
  selectAudioOutputDevice(device: MediaDeviceInfo): Promise<void>;
}

/** Returns the functions about the devices of a platform, whose choice all calls share. */
export function deviceFunctions(
  choice: MediaDevices,
  { environment, devices, rtc }: Pick<Platform, 'environment' | 'devices' | 'rtc'>,
  log: Logger,
): DeviceFunctions {
  // The documented type has no null, and hosts use the device without a check.
  const current = (kind: MediaDeviceKind) => choice.current(kind) as MediaDevice;
  return {
    useMedia: (constraints) => {
      const wanted = checkMediaConstraints(constraints);
      if (!environment.hasRealTimeMedia) return undefined;
      choice.watch();
      return new MediaAccess({ devices, rtc, choice, log }, wanted);
    },
    updateMediaDevices: (constraints) => {
      checkMediaConstraints(constraints);
      choice.watch();
      void choice.refresh();
    },
    getCurrentAudioInputDevice: () => current('audioinput'),
    getCurrentVideoInputDevice: () => current('videoinput'),
    getCurrentAudioOutputDevice: () => current('audiooutput'),
    getAvailableAudioInputDevices: () => choice.available('audioinput'),
    getAvailableVideoInputDevices: () => choice.available('videoinput'),
    getAvailableAudioOutputDevices: () => choice.available('audiooutput'),
    selectAudioInputDevice: (device) => choice.select('audioinput', device),
    selectVideoInputDevice: (device) => choice.select('videoinput', device),
    selectAudioOutputDevice: (device) => choice.select('audiooutput', device),
  };
}
