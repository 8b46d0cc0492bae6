# npx fake-calendar exec -- ruby calendar_test.rb
require 'google/apis/calendar_v3'
require 'minitest/autorun'
require 'net/http'

class CalendarTest < Minitest::Test
  ADDRESS = ENV.fetch('FAKE_CALENDAR_URL')
  Calendar = Google::Apis::CalendarV3

  # Sends a request to the world "ruby", and returns its status.
  def control(verb, path, body = nil)
    uri = URI("#{ADDRESS}/w/ruby/_control#{path}")
    Net::HTTP.new(uri.host, uri.port).send_request(verb, uri.path, body, 'Content-Type' => 'application/json').code.to_i
  end

  def setup
    control('POST', '/reset')
    @api = Calendar::CalendarService.new
    @api.root_url = "#{ADDRESS}/"
    @api.authorization = 'ruby~alice@example.com'
  end

  def test_an_insert_is_refused_once
    control('POST', '/faults', '{"on": "events.insert", "do": {"fail": "backendError503"}}')
    day = ->(date) { Calendar::EventDateTime.new(date: date) }
    lunch = Calendar::Event.new(id: 'lunch0', summary: 'Lunch', start: day['2026-03-02'], end: day['2026-03-03'])

    assert_raises(Google::Apis::ServerError) { @api.insert_event('primary', lunch) }
    @api.insert_event('primary', lunch)

    assert_equal ['Lunch'], @api.list_events('primary').items.map(&:summary)
    assert_equal 200, control('GET', '/faults/verify')
  end
end
