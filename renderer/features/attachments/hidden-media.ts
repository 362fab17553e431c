import { useState } from 'react'
import { isChosen } from '#shared/rules/channels/channels.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppSelector, useObject, useSetting } from '../../store/hooks.ts'
import { perAccount } from '../../store/objects.ts'
import { selectSession, selectSettings } from '../../store/selectors.ts'

/** Whether images, videos and link previews of this channel are hidden, and loaded only when unfolded one by one. */
export const useHidesMedia = (cid: Cid | undefined): boolean =>
  useAppSelector((state) => cid !== undefined && isChosen(selectSettings(state).hiddenMedia, selectSession(state), cid))

/** Whether a small picture is not loaded: media of its channel are hidden, and it was not unfolded. */
export function useThumbHidden(cid: Cid, ref: string): boolean {
  const unfolded = useObject(UNFOLDED)
  return useHidesMedia(cid) && !unfolded.has(ref)
}

/** Whether a picture is blurred, because the user chose so and has not clicked it yet. */
export function useBlurred(ref: string): { readonly isBlurred: boolean; readonly show: () => void } {
  const isChosen = useSetting('blurMedia')
  const unfolded = useObject(UNFOLDED)
  const [isShown, setShown] = useState(() => unfolded.has(ref))
  return {
    isBlurred: isChosen && !isShown,
    show: () => {
      unfolded.set(ref, true)
      setShown(true)
    },
  }
}

const MAX_UNFOLDED = 500

/** The attachments that were unfolded or shown sharp, so that a row that scrolls back into view is as it was. By reference, see `mediaRef`. */
class Unfolded {
  readonly #refs = new Set<string>()

  has = (ref: string): boolean => this.#refs.has(ref)

  set(ref: string, isOpen: boolean): void {
    this.#refs.delete(ref)
    if (isOpen) this.#refs.add(ref)
    const oldest = this.#refs.size > MAX_UNFOLDED ? this.#refs.values().next().value : undefined
    if (oldest !== undefined) this.#refs.delete(oldest)
  }
}

export const UNFOLDED = perAccount(() => new Unfolded())
