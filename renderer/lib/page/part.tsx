import { lazy, type ComponentType, type ReactNode } from 'react'

/** Whether whoever answers with code is there: `gone` until it is back, `shut` when it will not come back to this page. */
type Presence = 'here' | 'gone' | 'shut'
type Watch = (listener: (state: Presence) => void) => () => void

/** It fails at once when its source goes; that the source is gone is known a moment later. */
const NEXT_TRY_MS = 1_000
const TRIES = 3

let source: Watch | undefined
const failed = new Set<() => void>()
const unstyled = new Set<HTMLLinkElement>()

/** Says who answers with code. Without it, code comes from the disk, and what fails there fails. */
export function codeComesFrom(watch: Watch | undefined): void {
  source = watch
  document.removeEventListener('error', noteStyles, true)
  if (watch !== undefined) document.addEventListener('error', noteStyles, true)
}

/** The next time somebody wants a part that could not be had, it is asked for again. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/**
 * Code that comes when it is wanted. What cannot come because its source is gone comes once it is back; until then this
 * stays unanswered.
 */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (unstyled.size > 0) await mendStyles()
      return await load()
    } catch (error) {
      const watch = source
      if (watch === undefined) throw error
      if (await comesBack(watch)) tries = 0
      else if (tries >= TRIES) throw error
    }
  }
}

type Part<Props extends object> = ((props: Props) => ReactNode) & {
  /** Fetches it before anybody wants it. */
  readonly warm: () => void
}

/** A component whose code comes when it is drawn first. Stands in a `Suspense`. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let coming: Promise<{ default: ComponentType<Props> }> | undefined
  const ask = (): Promise<{ default: ComponentType<Props> }> => {
    coming ??= fetchCode(load).then((whole) => ({ default: whole }))
    return coming
  }
  let Known = lazy(ask)
  const forget = (): void => {
    coming = undefined
    Known = lazy(ask)
  }
  const begin = (): void => void ask().catch(() => failed.add(forget))
  const Whole = (props: Props) => {
    if (coming === undefined) begin()
    return <Known {...props} />
  }
  return Object.assign(Whole, { warm: begin })
}

/** Resolves when it is worth another try: with `true` once a source that was gone is back, else after a moment. */
function comesBack(watch: Watch): Promise<boolean> {
  return new Promise((resolve) => {
    let wasGone = false
    let stop: () => void = () => undefined
    const done = (isBack: boolean): void => {
      clearTimeout(timer)
      // The watch may answer before it has said how to end it.
      queueMicrotask(() => stop())
      resolve(isBack)
    }
    const timer = setTimeout(() => wasGone || done(false), NEXT_TRY_MS)
    stop = watch((state) => {
      if (state !== 'here') wasGone = true
      else if (wasGone) done(true)
    })
  })
}

/** A stylesheet that did not come is not asked for again by itself, and its part would be drawn without it. */
async function mendStyles(): Promise<void> {
  const links = [...unstyled]
  unstyled.clear()
  await Promise.all(
    links.map(
      (link) =>
        new Promise<void>((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement
          again.addEventListener('load', () => resolve())
          again.addEventListener('error', () => reject(new Error(`No stylesheet at ${link.href}`)))
          link.replaceWith(again)
        }),
    ),
  )
}

/** A failure to load stays at its element, so it is caught on the way down. */
function noteStyles({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') unstyled.add(target)
}
