import type { ScreenProps } from '../../shell/lazy-screen.tsx';
import { RegisterFlow } from './register-flow.tsx';

/** Registers a woman. */
export default function RegisterWoman({ openPresence }: ScreenProps) {
  return <RegisterFlow kind="woman" openPresence={openPresence} />;
}
