import { fromBase64 } from '../../lib/files/base64.ts'

/** Claims of a pasted token, not verified. `endsAt`: epoch milliseconds. */
type TokenSays = { readonly userId?: string; readonly endsAt?: number }

/** Parses the payload of a JWT; `undefined` if it is not one. */
export function tokenSays(token: string): TokenSays | undefined {
  const [, payload, signature] = token.trim().split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const bytes = fromBase64(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof claims !== 'object' || claims === null) return undefined
    const { user_id: userId, exp } = claims as { user_id?: unknown; exp?: unknown }
    return {
      ...(typeof userId === 'string' && userId !== '' ? { userId } : {}),
      ...(typeof exp === 'number' && Number.isFinite(exp) ? { endsAt: exp * 1_000 } : {}),
    }
  } catch {
    // Not base64, or not JSON.
    return undefined
  }
}
