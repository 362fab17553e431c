import { SignJWT } from 'jose'
import { API_KEY, SECRET } from './processes.ts'

/** Sets a server up over the contract with a server token, as an operator would. */
export class Admin {
  readonly #url: string
  #token: string | undefined

  constructor(url: string) {
    this.#url = url
  }

  async people(...names: readonly string[]): Promise<void> {
    const users = Object.fromEntries(
      names.map((name) => [name, { id: name, name: name[0]?.toUpperCase() + name.slice(1) }]),
    )
    await this.call('POST', '/users', { users })
  }

  /** A channel whose members are the named users; returns its cid. */
  async channel(id: string, members: readonly string[]): Promise<string> {
    await this.call('POST', `/channels/team/${id}/query`, {
      data: { name: id, members, created_by_id: members[0] },
      state: false,
    })
    return `team:${id}`
  }

  async send(cid: string, userId: string, text: string): Promise<void> {
    await this.call('POST', `/channels/${cid.replace(':', '/')}/message`, { message: { text } }, userId)
  }

  /** Changes a channel's own data: `frozen`, `config_overrides`, … */
  async change(cid: string, set: Record<string, unknown>): Promise<void> {
    await this.call('PATCH', `/channels/${cid.replace(':', '/')}`, { set })
  }

  /** The server's messages of a channel, oldest first. */
  async texts(cid: string): Promise<string[]> {
    const answer = (await this.call('POST', `/channels/${cid.replace(':', '/')}/query`, {
      data: { created_by_id: 'alice' },
      state: true,
      messages: { limit: 300 },
    })) as { messages: { text: string }[] }
    return answer.messages.map(({ text }) => text)
  }

  /** How many messages of a channel are unread for a member, by the server's count. */
  async unread(cid: string, userId: string): Promise<number> {
    const answer = (await this.call('POST', `/channels/${cid.replace(':', '/')}/query`, {
      data: { created_by_id: userId },
      state: true,
    })) as { read: { user: { id: string }; unread_messages: number }[] }
    return answer.read.find(({ user }) => user.id === userId)?.unread_messages ?? 0
  }

  /** One request of the contract, on a user's behalf if given. */
  async call(method: string, path: string, body: unknown, userId?: string): Promise<unknown> {
    this.#token ??= await new SignJWT({ server: true })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(SECRET))
    const query = new URLSearchParams({ api_key: API_KEY, ...(userId === undefined ? {} : { user_id: userId }) })
    const answer = await fetch(`${this.#url}${path}?${query.toString()}`, {
      method,
      headers: { authorization: this.#token, 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
}
