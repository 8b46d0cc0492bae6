# npx fake-calendar exec -- rspec calendar_spec.rb
require 'google/apis/calendar_v3'
require 'net/http'

RSpec.describe 'the calendar' do
  # Sends a request to the world "rspec", and returns its status.
  def control(verb, path, body = nil)
    uri = URI("#{ENV.fetch('FAKE_CALENDAR_URL')}/w/rspec/_control#{path}")
    Net::HTTP.new(uri.host, uri.port).send_request(verb, uri.path, body, 'Content-Type' => 'application/json').code.to_i
  end

  let(:api) do
    Google::Apis::CalendarV3::CalendarService.new.tap do |service|
      service.root_url = "#{ENV.fetch('FAKE_CALENDAR_URL')}/"
      service.authorization = 'rspec~alice@example.com'
    end
  end

  before { control('POST', '/reset') }

  it 'is refused once, and then has one lunch' do
    control('POST', '/faults', '{"on": "events.quickAdd", "do": {"fail": "rateLimitExceeded"}}')

    expect { api.quick_add_event('primary', 'Lunch') }.to raise_error(Google::Apis::RateLimitError)
    api.quick_add_event('primary', 'Lunch')

    expect(api.list_events('primary').items.map(&:summary)).to eq ['Lunch']
    expect(control('GET', '/faults/verify')).to eq 200
  end
end
