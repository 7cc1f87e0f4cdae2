import type { ScreenProps } from '../../shell/load-screen.ts';
import { RegisterFlow } from './register-flow.tsx';

/** Registers a man. */
export default function RegisterMan({ openPresence }: ScreenProps) {
  return <RegisterFlow kind="man" openPresence={openPresence} />;
}
