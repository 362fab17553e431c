import { useEffect, useState, type DragEvent } from 'react'
import { asCid } from '#shared/lib/brand.ts'
import { openBeside } from '../../features/windows/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { CONVERSATION_TYPE, draggedConversation } from '../../lib/dragged-conversation.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import styles from './Frame.module.css'

/** While a conversation is dragged: the right half, as a drop target. */
export function DropHalf() {
  const t = useTexts('windows')
  const dispatch = useAppDispatch()
  const isChannel = useAppSelector(({ ui }) => ui.route.view === 'channel')
  const [isDragged, setDragged] = useState(false)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const begin = (event: globalThis.DragEvent): void => {
      if (event.dataTransfer?.types.includes(CONVERSATION_TYPE) === true) setDragged(true)
    }
    const end = (): void => {
      setDragged(false)
      setOver(false)
    }
    window.addEventListener('dragstart', begin)
    window.addEventListener('dragend', end)
    window.addEventListener('drop', end)
    return () => {
      window.removeEventListener('dragstart', begin)
      window.removeEventListener('dragend', end)
      window.removeEventListener('drop', end)
    }
  }, [])
  if (!isDragged || !isChannel) return null
  const hold = (event: DragEvent<HTMLElement>): void => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setOver(true)
  }
  const drop = (event: DragEvent<HTMLElement>): void => {
    const cid = draggedConversation(event.dataTransfer)
    if (cid === undefined) return
    event.preventDefault()
    dispatch(openBeside({ cid: asCid(cid) }))
  }
  return (
    <div
      role="presentation"
      className={styles['dropHalf']}
      data-over={isOver || undefined}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {t('half.drop')}
    </div>
  )
}
