import type { WireUser } from './objects.ts'

/** The `json` parameter of /connect and /longpoll. Source: wire contract 2.2. */
export type ConnectPayload = { user_id: string; user_details: WireUser; client_request_id?: string }

export type AuthType = 'jwt' | 'anonymous'

/** Query of the websocket handshake. Source: wire contract 2.1. */
export type ConnectQuery = {
  json: string
  api_key: string
  authorization: string
  'stream-auth-type': AuthType
  'X-Stream-Client': string
}

/** Close codes the local server uses. Source: wire contract 2.6. */
export const CLOSE_CODES = {
  normal: 1000,
  goingAway: 1001,
  internal: 1011,
  restart: 1012,
  overload: 1013,
  tokenExpired: 4001,
  idle: 4008,
} as const
