import { isChosen } from '#shared/rules/channels/chosen-channels.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { perAccount } from '../../store/objects.ts'
import { selectSession, selectSettings } from '../../store/selectors.ts'

/** Whether images, videos and link previews of this channel are hidden, and loaded only when unfolded one by one. */
export const useHidesMedia = (cid: Cid | undefined): boolean =>
  useAppSelector((state) => cid !== undefined && isChosen(selectSettings(state).hiddenMedia, selectSession(state), cid))

const MAX = 500

/** The attachments that are unfolded, so that a row that scrolls back into view is as it was. By reference, see `mediaRef`. */
class Unfolded {
  readonly #refs = new Set<string>()

  has = (ref: string): boolean => this.#refs.has(ref)

  set(ref: string, isOpen: boolean): void {
    this.#refs.delete(ref)
    if (isOpen) this.#refs.add(ref)
    const oldest = this.#refs.size > MAX ? this.#refs.values().next().value : undefined
    if (oldest !== undefined) this.#refs.delete(oldest)
  }
}

export const UNFOLDED = perAccount(() => new Unfolded())
