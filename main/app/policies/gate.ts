import type { Policies, PresetServer } from '#shared/domain/desktop/policies.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { AccountRef } from '#main/settings/profile.ts'

type Check = (input: never, policies: Policies) => void

/**
 * Calls that an administrator may forbid. Each check throws an error that says so. All other calls pass.
 */
const CHECKS: Readonly<Record<string, Check>> = {
  'session.connectHosted': ({ url, apiKey }: { url: string; apiKey: string }, policies) =>
    checkServer(url, apiKey, policies),
  'session.timeServer': ({ url, apiKey }: { url: string; apiKey: string }, policies) =>
    checkServer(url, apiKey, policies),
  'session.openDemo': (_input, policies) => checkLocal(policies),
  'session.restartDemo': (_input, policies) => checkLocal(policies),
  'moving.look': (_input, policies) => checkLocal(policies),
  'moving.open': (_input, policies) => checkLocal(policies),
  'session.createWorkspace': (_input, policies) => checkLocal(policies),
  'uploads.begin': (file: { name: string; mimeType: string; sizeBytes: number; voice?: unknown }, policies) =>
    checkFile(file, policies),
  'locations.share': (_input, { AllowGeolocation }) => {
    if (AllowGeolocation === false) throw new AppError('policy/location')
  },
}

/** For the dispatcher: checks each call after its input was validated. */
export function policyGate(policies: Policies): (call: string, input: unknown) => void {
  return (call, input) => {
    if (Object.hasOwn(CHECKS, call)) CHECKS[call]?.(input as never, policies)
  }
}

/** An account that policies do not allow (anymore) is not opened. Throws `policy/server`, `policy/local`. */
export function checkAccount(ref: AccountRef, policies: Policies): void {
  if (ref.kind === 'hosted') checkServer(ref.url, ref.apiKey, policies)
  else checkLocal(policies)
}

function checkServer(url: string, apiKey: string, { LockServerList, ServerList = [] }: Policies): void {
  if (LockServerList !== true) return
  const isListed = (server: PresetServer): boolean =>
    server.apiKey === apiKey.trim() && originAndPath(server.url) === originAndPath(url)
  if (!ServerList.some(isListed)) throw new AppError('policy/server')
}

/** Normalized like an address in the sign-in form: without a trailing slash. */
function originAndPath(text: string): string | undefined {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return undefined
  const { origin, pathname } = new URL(trimmed)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function checkLocal({ AllowLocalServer }: Policies): void {
  if (AllowLocalServer === false) throw new AppError('policy/local')
}

function checkFile(
  { name, mimeType, sizeBytes, voice }: { name: string; mimeType: string; sizeBytes: number; voice?: unknown },
  { AllowMicrophone, AllowedAttachmentTypes: types, MaxUploadSize }: Policies,
): void {
  if (voice !== undefined && AllowMicrophone === false) throw new AppError('policy/microphone')
  if (MaxUploadSize !== undefined && sizeBytes > MaxUploadSize) throw new AppError('policy/file-size')
  if (types && !types.some((type) => fits(type, name.toLowerCase(), mimeType.toLowerCase()))) {
    throw new AppError('policy/file-type')
  }
}

function fits(type: string, name: string, mimeType: string): boolean {
  if (type.startsWith('.')) return name.endsWith(type)
  const [bare = ''] = mimeType.split(';')
  return type.endsWith('/*') ? bare.startsWith(type.slice(0, -1)) : bare.trim() === type
}

/**
 * If policies do not allow the account (anymore), Parlor starts without one and asks for a sign-in. Its stored data is not
 * touched.
 */
export function allowedStart<Start extends { readonly ref: AccountRef | undefined; readonly save: boolean }>(
  start: Start,
  policies: Policies,
): Start {
  if (start.ref === undefined) return start
  try {
    checkAccount(start.ref, policies)
    return start
  } catch {
    return { ...start, ref: undefined, save: false }
  }
}
