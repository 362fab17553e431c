import { useMemo, useState } from 'react'
import type { Segment } from '#shared/domain/manage/segments.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { FindList } from '../FindList.tsx'
import { addTargets, loadSegments } from './commands.ts'

/** People who were picked elsewhere are added to the list of a segment. */
export function AddToSegment({ userIds }: { readonly userIds: readonly UserId[] }) {
  const t = useTexts('segments')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const remark = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const find = useMemo(
    () => async (text: string) => {
      const loaded = await dispatch(loadSegments({ find: text, kind: 'user' }))
      const open = loaded.ok ? loaded.value.segments.filter(({ all }) => !all) : []
      return open.map(({ id, name }: Segment) => ({ id, name: name === '' ? id : name }))
    },
    [dispatch],
  )
  const add = async (id: string, name: string): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    const done = await dispatch(addTargets({ id, targetIds: userIds }))
    setWorking(false)
    if (!done.ok) return remark.refuse(done.error)
    announce(t('addPicked.done', { count: userIds.length, name }))
    close()
  }
  return (
    <Dialog
      width={400}
      title={t('addPicked.title', { count: userIds.length })}
      onClose={close}
      hint={offline ? t('offline') : undefined}
      actions={<Button onClick={close}>{common('cancel')}</Button>}
    >
      <FindList
        label={t('find')}
        find={find}
        renderSign={() => <Icon name="segments" size={16} />}
        searching={t('searching')}
        nothing={t('noneFound')}
        onChoose={({ id, name }) => void add(id, name)}
      />
      <Refusal text={remark.text} />
    </Dialog>
  )
}
