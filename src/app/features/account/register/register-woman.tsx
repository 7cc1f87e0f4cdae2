import type { ScreenProps } from '../../shell/load-screen.ts';
import { RegisterFlow } from './register-flow.tsx';

/** Registers a woman. */
export default function RegisterWoman({ openPresence }: ScreenProps) {
  return <RegisterFlow kind="woman" openPresence={openPresence} />;
}
