import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { middleCut } from './presentation.ts'
import styles from './Attachments.module.css'

/** A name shortened in the middle where it does not fit. It is in the page once and whole, for screen readers and search. */
export function FileName({ name }: { readonly name: string }) {
  const box = useRef<HTMLElement>(null)
  const shown = useMiddleCut(box, name)
  const isCut = shown !== name
  return (
    <bdi ref={box} className={styles['name']} title={name}>
      <span className={isCut ? styles['whole'] : undefined}>{name}</span>
      {isCut ? <span className={styles['cut']} data-cut={shown} aria-hidden="true" /> : null}
    </bdi>
  )
}

/** What is shown of the name in the first element of the box, which has the width of the whole name as far as there is room. */
function useMiddleCut(box: RefObject<HTMLElement | null>, name: string): string {
  const [shown, setShown] = useState(name)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const fit = (): void => {
      const text = element.firstElementChild?.firstChild
      // Not on screen.
      if (!text || element.clientWidth === 0) return
      const range = document.createRange()
      const widthOf = (from: number, to: number): number => {
        range.setStart(text, from)
        range.setEnd(text, to)
        return range.getBoundingClientRect().width
      }
      const dots = Number.parseFloat(getComputedStyle(element).fontSize)
      setShown(middleCut(name, element.getBoundingClientRect().width + HALF_PIXEL, { widthOf, dots }))
    }
    fit()
    const sizes = new ResizeObserver(fit)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [box, name])
  return shown
}

/** The box is rounded to the pixels of the screen, the text is not. */
const HALF_PIXEL = 0.5
