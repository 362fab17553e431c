import { expect, test } from './world.ts'

const CID = 'team:release-4-2'

test('a second window is opened as somebody else, and both talk', async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  await ola.openChannel(CID)
  await ola.workspace('Open a second window as…')
  const person = ola.page.getByRole('dialog').getByRole('button', { name: /^Jonas Lindqvist/ })
  const opened = ola.page.waitForEvent('popup')
  await person.click()
  const jonas = world.watch(await opened)
  expect((await app.said('window'))['as']).toBe('jonas')
  await jonas.openChannel(CID)
  await jonas.send(CID, 'Hi Ola, this is Jonas')
  await expect(ola.message(CID, 'Hi Ola, this is Jonas')).toBeVisible()
  await ola.send(CID, 'Hi Jonas, I can see you')
  await expect(jonas.message(CID, 'Hi Jonas, I can see you')).toBeVisible()

  await jonas.composer(CID).pressSequentially('I am writ')
  await expect(ola.page.getByText(/Jonas.* is typing/)).toBeVisible()
})
