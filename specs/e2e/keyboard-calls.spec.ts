/**
 * Tests calls with the keyboard only (see keyboard.spec.ts): the focus is never lost, and returns to its place after
 * the call.
 */
import { expect } from '@playwright/test';
import { test } from './support/calls-test.ts';
import { keysOf } from './support/keys.ts';
import { cardOf, dial, expectConnected } from './support/person.ts';
import { shareCanvas } from './support/share-canvas.ts';

/** A blurred moving picture in a large window uses all of a small machine's processor. */
const SMALL = { viewport: { width: 390, height: 700 } };

test('a man dials from a profile after the device check; a woman answers, turns her devices off, opens every part of the call and hangs up; he rates the call', async ({
  person,
}) => {
  const [alice, bob] = await Promise.all([person('alice', SMALL), person('bob', SMALL)]);
  await alice.page.evaluate(shareCanvas, [640, 360] as const);
  const [hers, his] = [keysOf(alice.page), keysOf(bob.page)];

  // He has not done the device check.
  await bob.page.context().clearCookies({ name: 'ringback_devices_checked' });
  await bob.page.reload();
  await his.press(bob.page.getByRole('button', { name: /^Alice，/ }));
  await his.press(bob.page.getByRole('link', { name: '看完整檔案' }));
  const callButton = bob.page.getByRole('button', { name: '視訊通話' });
  await his.press(callButton);
  const check = bob.page.getByRole('dialog', { name: '通話前檢查' });
  await his.press(check.getByRole('button', { name: '測試喇叭' }), 'Space');
  await his.to(check.getByRole('combobox', { name: '麥克風' }));
  await his.hit('ArrowDown');
  await expect(check.getByRole('combobox', { name: '麥克風' })).toBeFocused();
  await his.hit('Escape');
  await expect(callButton).toBeFocused();
  await his.press(callButton);

  const place = alice.page.getByRole('link', { name: '收益', exact: true });
  await hers.to(place);
  await his.press(check.getByRole('button', { name: '撥打' }));
  await expect(bob.call).toBeFocused();
  await expect(alice.incoming.getByRole('button', { name: '接聽' })).toBeFocused();
  await hers.press(alice.incoming.getByRole('button', { name: '更多回應方式' }));
  await expect(alice.incoming.getByRole('button', { name: '稍後回你' })).toBeVisible();
  await hers.press(alice.incoming.getByRole('button', { name: '接聽' }));
  await expect(alice.call).toBeFocused();
  await Promise.all([expectConnected(alice), expectConnected(bob)]);

  for (const name of ['麥克風', '鏡頭']) {
    const control = alice.call.getByRole('button', { name, exact: true });
    for (const state of ['false', 'true']) {
      await hers.press(control, state === 'true' ? 'Space' : 'Enter');
      await expect(control).toHaveAttribute('aria-pressed', state);
      await hers.stays(control);
    }
  }

  // Controls that are disabled while he holds the call keep the focus.
  const camera = alice.call.getByRole('button', { name: '鏡頭', exact: true });
  await his.press(bob.call.getByRole('button', { name: '更多選項' }));
  await his.press(bob.page.getByRole('button', { name: '保留通話' }));
  await expect(bob.call.getByRole('button', { name: '恢復通話' })).toBeFocused();
  await expect(camera).toBeDisabled();
  await hers.stays(camera);
  await his.hit('Enter');
  await expect(camera).toBeEnabled();
  await hers.stays(camera);

  const more = alice.call.getByRole('button', { name: '更多選項' });
  const panel = alice.page.getByRole('dialog', { name: '更多選項' });
  await hers.press(more);
  await expect(panel).toBeFocused();
  const microphones = panel.getByRole('combobox', { name: '麥克風' });
  const microphone = await microphones.inputValue();
  await hers.to(microphones);
  await hers.hit('ArrowDown');
  await expect(microphones).not.toHaveValue(microphone);
  await expect(microphones).toBeFocused();
  await hers.press(panel.getByText('連線統計'));
  await expect(panel.getByText('往返時間')).toBeVisible();
  await hers.hit('Escape');
  await expect(more).toBeFocused();
  await hers.press(more);
  await hers.press(panel.getByRole('button', { name: '分享畫面' }));
  await expect(alice.call.getByText('你正在分享畫面')).toBeVisible();
  await expect(more).toBeFocused();
  await hers.press(alice.call.getByRole('button', { name: '停止分享' }));
  await expect(alice.call.getByText('你正在分享畫面')).toHaveCount(0);

  await hers.press(alice.call.getByRole('button', { name: '結束通話' }));
  await expect(alice.call).toHaveCount(0);
  await expect(place).toBeFocused();

  await expect(bob.call.getByRole('button', { name: '關閉' })).toBeFocused();
  await his.to(bob.call.getByRole('radio', { name: '5 顆星' }));
  await his.hit('ArrowLeft');
  await expect(bob.call.getByRole('radio', { name: '4 顆星' })).toBeChecked();
  await expect(bob.call.getByText('謝謝你的評分。')).toBeVisible();
  await his.press(bob.call.getByRole('button', { name: '關閉' }));
  await expect(callButton).toBeFocused();
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('a woman keeps a call in a small window on another screen, declines a second caller, holds the call for a second one, and closes its summary', async ({
  person,
}) => {
  const [alice, bob, dave] = await Promise.all([person('alice', SMALL), person('bob', SMALL), person('dave', SMALL)]);
  const keys = keysOf(alice.page);
  await dial(bob, alice, 'voice');
  await keys.press(alice.incoming.getByRole('button', { name: '接聽' }));
  await Promise.all([expectConnected(alice), expectConnected(bob)]);

  await keys.press(alice.call.getByRole('button', { name: '縮小通話' }));
  const docked = alice.page.getByRole('region', { name: '與Bob的語音通話' });
  await expect(docked.getByRole('button', { name: '展開通話' })).toBeFocused();
  await keys.press(docked.getByRole('button', { name: '移到下一個角落' }));
  await expect(docked.getByRole('button', { name: '移到下一個角落' })).toBeFocused();
  await keys.press(alice.page.getByRole('link', { name: /^聊天(?!與)/ }));
  await expect(alice.page.getByRole('heading', { level: 1, name: '聊天' })).toBeFocused();
  await expect(docked).toBeVisible();
  const search = alice.page.getByRole('searchbox');
  await keys.write(search, '阿');

  // An incoming card does not take the focus from a user who types.
  await cardOf(dave, alice).click();
  await dave.page.getByRole('dialog', { name: 'Alice' }).getByRole('button', { name: '語音通話' }).click();
  await expect(alice.incoming).toBeVisible();
  await expect(search).toBeFocused();
  await keys.hit('Alt+d');
  await expect(alice.incoming).toHaveCount(0);
  await expect(search).toBeFocused();
  await keys.press(docked.getByRole('button', { name: '展開通話' }));
  await expect(alice.call).toBeFocused();

  const microphone = alice.call.getByRole('button', { name: '麥克風', exact: true });
  await keys.to(microphone);
  await dave.call.getByRole('button', { name: '重新撥打' }).click();
  await expect(alice.incoming.getByRole('button', { name: '保留並接聽' })).toBeFocused();
  await keys.press(alice.incoming.getByRole('button', { name: '拒絕' }));
  await expect(microphone).toBeFocused();

  await dave.call.getByRole('button', { name: '重新撥打' }).click();
  await keys.press(alice.incoming.getByRole('button', { name: '保留並接聽' }));
  await expect(alice.call).toHaveAccessibleName('與Dave的語音通話');
  await expect(alice.call).toBeFocused();
  await expectConnected(dave);
  await keys.press(alice.call.getByRole('button', { name: '切換到與Bob的通話' }));
  await expect(alice.call).toHaveAccessibleName('與Bob的語音通話');
  await keys.press(alice.call.getByRole('button', { name: '切換到與Dave的通話' }));
  await expect(alice.call).toHaveAccessibleName('與Dave的語音通話');

  await dave.call.getByRole('button', { name: '結束通話' }).click();
  await expect(alice.call.getByRole('button', { name: '關閉' })).toBeFocused();
  await keys.hit('Enter');
  await expect(alice.call).toHaveAccessibleName('與Bob的語音通話');
  await expect(alice.call.getByRole('button', { name: '恢復通話' })).toBeFocused();
  await keys.hit('Enter');
  await expect(bob.call.getByText('保留中')).toHaveCount(0);
  await keys.press(alice.call.getByRole('button', { name: '結束通話' }));
  // She tabbed through the list to the small call window.
  await expect(alice.page.getByRole('radio', { name: '全部' })).toBeFocused();
  expect([alice.complaints, bob.complaints, dave.complaints]).toEqual([[], [], []]);
});
