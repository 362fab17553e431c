import { SignJWT } from 'jose'
import { API_KEY, SECRET, tokenFor } from './processes.ts'
import { expect, test } from './world.ts'

const signed = (claims: Record<string, unknown>, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(secret))

test('a server is connected to from the start screen; each mistake is said where it was made and nothing typed is lost', async ({
  world,
}) => {
  const { url, cid, admin } = await world.team('alice')
  await admin.say(cid, 'alice', 'written before')
  const { screen } = await world.demo()
  const { page } = screen
  await screen.workspace('Sign out…')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: /^A hosted server/ }).click()

  const address = page.getByLabel('Server address')
  const key = page.getByLabel('API key')
  const token = page.getByLabel('Token', { exact: true })
  const attempt = async (field: typeof address, value: string, words: string): Promise<void> => {
    await field.fill(value)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(words)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveValue(value)
  }
  await attempt(address, '', 'Type the server address')
  await key.fill(API_KEY)
  await attempt(address, 'not an address', 'This isn’t a server address. It begins with https://')
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

  await token.fill(await tokenFor('alice'))
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(screen.message(cid, 'written before')).toBeVisible()
})
