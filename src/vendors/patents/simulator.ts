/** USPTO Open Data Portal: GET /patent/applications/search with the header x-api-key. */
import { isMiss, json, keyedData } from '../../simulators/open-data.ts'

const patents = keyedData(
  { header: 'x-api-key' },
  {
    'GET /patent/applications/search': (request) => {
      if (isMiss(request, 'patents'))
        return json(
          {
            code: '404',
            error: 'Not Found',
            errorDetails: 'No matching records found. (simulated)',
          },
          404,
        )
      const applicationMetaData = {
        inventionTitle: 'Simulated lidar',
        patentNumber: '11000001',
        filingDate: '2019-05-01',
        grantDate: '2021-05-11',
        firstApplicantName: 'Example Robotics Inc.',
        applicantBag: [{ applicantNameText: 'Example Robotics Inc.' }],
      }
      const assignmentBag = [
        { assigneeBag: [{ assigneeNameText: 'EXAMPLE ROBOTICS HOLDINGS LLC' }] },
      ]
      return json({
        count: 1,
        patentFileWrapperDataBag: [
          { applicationNumberText: '16000001', applicationMetaData, assignmentBag },
        ],
        requestIdentifier: 'simulated',
      })
    },
  },
  (status) =>
    json(
      {
        code: String(status),
        error: 'Simulated',
        message: `Simulated failure with status ${status}.`,
      },
      status,
    ),
)

export const simulators = { patents }
