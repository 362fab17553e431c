import { SignJWT } from 'jose'
import { API_KEY, connectArgs, SECRET, tokenFor } from '../kit/processes.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

const signed = (claims: Record<string, unknown>, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(secret))

test('a server is connected to from the start screen; each mistake is shown at its field and nothing typed is lost', async ({
  world,
}) => {
  const { url, cid, admin } = await world.team('alice')
  await admin.send(cid, 'alice', 'written before')
  const { screen } = await world.demo()
  const { page } = screen
  await screen.workspace('Sign out…')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: /^Join or connect/ }).click()
  await page.getByRole('button', { name: /^My team runs a server/ }).click()

  const address = page.getByLabel('Server address')
  const key = page.getByLabel('API key')
  const token = page.getByLabel('Token', { exact: true })
  const attempt = async (field: typeof address, value: string, text: string): Promise<void> => {
    await field.fill(value)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(text)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveValue(value)
  }
  await attempt(address, '', 'Type the server address')
  await key.fill(API_KEY)
  await attempt(address, 'not an address', 'That doesn’t look like a server address. It should start with https://')
  await token.fill(await tokenFor('alice'))
  await attempt(address, 'http://127.0.0.1:9', 'Couldn’t reach the server. Check the address and your connection.')
  await expect(key).toHaveValue(API_KEY)
  await address.fill(url)
  await attempt(token, '', 'User token can not be empty')
  await attempt(
    token,
    await signed({ role: 'user' }, SECRET),
    'userToken does not have a user_id or is not matching with user.id',
  )
  await attempt(
    token,
    await signed({ user_id: 'alice' }, 'another-secret-of-at-least-thirty-two-characters'),
    'The token isn’t signed by this server. Ask your server administrator for a new one.',
  )
  await expect(address).toHaveValue(url)

  await expect(page.getByText(/^Answers in \d+ ms$/)).toBeVisible()
  await key.fill('another-key')
  await expect(page.getByText('Unknown key')).toBeVisible()
  await key.fill(API_KEY)
  await expect(page.getByText('Unknown key')).toBeHidden()
  await token.fill(await tokenFor('alice'))
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(screen.message(cid, 'written before')).toBeVisible()
})

test(
  'a server that a shell connected to is there again at a plain start, beside the others, with its draft and queued messages',
  LONG,
  async ({ world }) => {
    const { url, cid, server } = await world.team('alice')
    const { app, screen: demo, data } = await world.demo()
    await expect(demo.row('team:release-4-2')).toBeVisible()
    await demo.close()
    await app.stop()
    const connected = await world.app(data, ...(await connectArgs(url, 'alice')))
    const first = await world.open(connected.ready['url'])
    await first.openChannel(cid)
    await server.stop('SIGKILL')
    await first.send(cid, 'waits for the server')
    await first.composer(cid).fill('half a thought')
    await first.row(cid).click()
    await first.close()
    await connected.stop()

    const plain = await world.app(data)
    const again = await world.open(plain.ready['url'])
    await again.openChannel(cid)
    await expect(again.composer(cid)).toHaveValue('half a thought')
    await expect(again.message(cid, 'waits for the server')).toBeVisible()
    const rail = again.page.getByRole('navigation', { name: 'Accounts' })
    await expect(rail.getByRole('button', { name: /^Cairn Maps/ })).toBeVisible()
    await expect(rail.getByRole('button', { name: new RegExp(`^Parlor ${new URL(url).port}`) })).toBeVisible()
  },
)
