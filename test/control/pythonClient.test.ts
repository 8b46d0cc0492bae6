import { expect, test } from 'vitest'
import { getOpenApiDocument } from '../../src/control/openapi.ts'
import { formatFunctions, formatStub } from '../support/pythonClient.ts'

const PACKAGE = '../../clients/python/src/fake_calendar'

test('the Python client has the functions of the OpenAPI document, with their types', async () => {
  await expect(formatFunctions(getOpenApiDocument())).toMatchFileSnapshot(`${PACKAGE}/functions.json`)
  await expect(formatStub(getOpenApiDocument())).toMatchFileSnapshot(`${PACKAGE}/controls.pyi`)
})
