import { Camera, DoorOpen, Flag, Gift, MessageCircle, MonitorUp, Pause, PictureInPicture2, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '../../../../../core/i18n/generated/messages.js';
import type { CallExtra } from '../call-view-model.ts';

/** Returns the text and the icon of an action that is not among the controls. */
export function extraFace({ name, on }: CallExtra): { readonly text: string; readonly icon: ReactNode } {
  switch (name) {
    case 'hold':
      return on ? { text: m.hold_resume(), icon: <Play /> } : { text: m.extra_hold(), icon: <Pause /> };
    case 'room':
      return { text: m.extra_room(), icon: <DoorOpen /> };
    case 'screenShare':
      return { text: on ? m.sharing_stop() : m.extra_share(), icon: <MonitorUp /> };
    case 'pictureInPicture':
      return { text: m.extra_float(), icon: <PictureInPicture2 /> };
    case 'capture':
      return { text: m.extra_capture(), icon: <Camera /> };
    case 'message':
      return { text: m.ended_message(), icon: <MessageCircle /> };
    case 'gift':
      return { text: m.gifts_open(), icon: <Gift /> };
    case 'report':
      return { text: m.person_report(), icon: <Flag /> };
    default:
      return name satisfies never;
  }
}
