// npx fake-calendar exec -- dart test    (packages: googleapis, http, test; the file is in test/)
import 'dart:io';

import 'package:googleapis/calendar/v3.dart';
import 'package:http/http.dart' as http;
import 'package:test/test.dart';

final address = Platform.environment['FAKE_CALENDAR_URL']!;

class BearerClient extends http.BaseClient {
  BearerClient(this.token);
  final String token;
  final http.Client inner = http.Client();

  @override
  Future<http.StreamedResponse> send(http.BaseRequest request) {
    request.headers['Authorization'] = 'Bearer $token';
    return inner.send(request);
  }
}

/// The address of a control route of the world "dart".
Uri control(String path) => Uri.parse('$address/w/dart/_control$path');

void main() {
  final api = CalendarApi(BearerClient('dart~alice@example.com'), rootUrl: '$address/');

  setUp(() => http.post(control('/reset')));

  test('a call is refused once', () async {
    const fault = '{"on": "events.quickAdd", "do": {"fail": "rateLimitExceeded"}}';
    await http.post(control('/faults'), headers: {'Content-Type': 'application/json'}, body: fault);

    final refused = isA<DetailedApiRequestError>().having((error) => error.status, 'status', 403);
    await expectLater(api.events.quickAdd('primary', 'Lunch'), throwsA(refused));
    await api.events.quickAdd('primary', 'Lunch');

    final events = await api.events.list('primary');
    expect(events.items?.map((event) => event.summary), ['Lunch']);
    expect((await http.get(control('/faults/verify'))).statusCode, 200);
  });
}
