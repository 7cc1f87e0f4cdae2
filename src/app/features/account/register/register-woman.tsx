import type { ScreenProps } from '../../shell/lazy-screen.tsx';
import { RegisterFlow } from './register-flow.tsx';

export default function RegisterWoman({ openPresence }: ScreenProps) {
  return <RegisterFlow kind="woman" openPresence={openPresence} />;
}
