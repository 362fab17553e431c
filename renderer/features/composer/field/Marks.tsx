import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { Mark } from './marks.ts'
import styles from '../Composer.module.css'

type Props = {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/**
 * A text field cannot colour its words. This stands behind it, line for line, with nothing in it to see but the ground
 * of the words that are marked; what they mean is said elsewhere in words.
 */
export function Marks({ text, marks, field }: Props) {
  const ground = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const text = field.current
    if (text === null) return undefined
    const follow = (): void => {
      const behind = ground.current
      if (behind === null) return
      // The room a scroll bar takes breaks the lines earlier.
      behind.style.insetInlineEnd = `${text.offsetWidth - text.clientWidth}px`
      behind.scrollTop = text.scrollTop
    }
    follow()
    const resized = new ResizeObserver(follow)
    resized.observe(text)
    text.addEventListener('scroll', follow, { passive: true })
    return () => {
      resized.disconnect()
      text.removeEventListener('scroll', follow)
    }
  }, [field])
  return (
    <div ref={ground} className={styles['marks']} aria-hidden="true" dir="auto">
      {marks.map(({ from, to, kind }, index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.to ?? 0, from)}
          <mark className={kind === 'over' ? styles['tooMuch'] : styles['mention']}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {/* A last empty line has no height of its own. */}
      {`${text.slice(marks.at(-1)?.to ?? 0)}\u{200B}`}
    </div>
  )
}
